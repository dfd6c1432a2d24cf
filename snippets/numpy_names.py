"""The names of NumPy that a snippet has: those that compute. None reads or writes files, or gives raw memory."""

NUMPY_NAMES = """
pi e inf nan newaxis euler_gamma
generic number integer signedinteger unsignedinteger inexact floating complexfloating bool_ float16 float32
float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 intp complex64 complex128 double single half str_ dtype
finfo iinfo bool
array asarray asanyarray ascontiguousarray copy zeros ones empty full zeros_like ones_like empty_like full_like arange
linspace logspace geomspace eye identity diag diagflat tri tril triu vander meshgrid mgrid ogrid indices fromfunction
fromiter frombuffer
reshape ravel transpose swapaxes moveaxis rollaxis concatenate stack vstack hstack dstack column_stack split
array_split vsplit hsplit dsplit tile repeat flip fliplr flipud roll rot90 expand_dims squeeze broadcast_to
broadcast_arrays broadcast_shapes atleast_1d atleast_2d atleast_3d append insert delete unique pad resize block
matrix_transpose permute_dims concat unstack
add subtract multiply divide true_divide floor_divide mod remainder divmod power float_power negative positive absolute
abs fabs sign exp exp2 expm1 log log2 log10 log1p sqrt cbrt square reciprocal sin cos tan arcsin arccos arctan arctan2
sinh cosh tanh arcsinh arccosh arctanh hypot degrees radians deg2rad rad2deg sinc heaviside maximum minimum fmax fmin
floor ceil trunc rint round around fix clip nan_to_num real imag conj conjugate angle gcd lcm logaddexp logaddexp2
acos asin atan atan2 acosh asinh atanh pow bitwise_and bitwise_or bitwise_xor invert left_shift right_shift
copysign nextafter spacing ldexp frexp modf signbit i0
sum prod mean std var min max amin amax ptp median average percentile quantile cumsum cumprod diff ediff1d gradient
trapezoid cross nansum nanprod nanmean nanstd nanvar nanmin nanmax nanmedian nanargmin nanargmax nancumsum
count_nonzero histogram histogram2d bincount digitize corrcoef cov convolve correlate interp
dot vdot inner outer matmul matvec vecmat vecdot tensordot einsum kron trace diagonal
equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor logical_not all any allclose
isclose array_equal array_equiv isfinite isinf isnan isposinf isneginf isreal iscomplex isscalar iscomplexobj isrealobj
where nonzero argwhere flatnonzero argmax argmin argsort sort partition argpartition searchsorted take take_along_axis
put put_along_axis putmask place choose compress extract select piecewise isin intersect1d union1d setdiff1d setxor1d
lexsort triu_indices tril_indices diag_indices fill_diagonal unravel_index ravel_multi_index ix_ s_ r_ c_ index_exp
apply_along_axis apply_over_axes vectorize frompyfunc ndindex ndenumerate nditer may_share_memory shares_memory
shape ndim size result_type can_cast promote_types min_scalar_type common_type issubdtype isdtype astype
array2string array_repr array_str set_printoptions get_printoptions printoptions errstate seterr geterr
poly1d polyfit polyval polyadd polymul roots iterable
"""

LINALG_NAMES = """
norm inv pinv det slogdet solve lstsq svd svdvals eig eigh eigvals eigvalsh qr cholesky matrix_rank matrix_power cond
multi_dot tensorinv tensorsolve vector_norm matrix_norm cross outer matmul trace diagonal LinAlgError
"""

RANDOM_NAMES = """
seed rand randn randint random random_sample uniform normal standard_normal choice shuffle permutation binomial poisson
beta gamma exponential laplace logistic multinomial multivariate_normal dirichlet bernoulli geometric lognormal
default_rng RandomState Generator SeedSequence get_state set_state
"""
