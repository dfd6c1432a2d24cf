# Programs that want everything. Each must end with an answer.
#### endless loop
while True:
    pass
#### endless loop in C
sum(iter(int, 1))
#### huge power
10 ** 10 ** 9
#### list that doubles
x = [0]
while True:
    x = x + x
#### string that doubles
s = "x"
while True:
    s = s + s
#### one huge list
x = [0] * 10 ** 10
#### one huge array
import numpy as np
x = np.zeros(10 ** 10)
#### one huge tensor
import torch
x = torch.zeros(100000, 100000)
#### many arrays
import numpy as np
x = []
while True:
    x.append(np.ones(10 ** 6))
#### endless recursion
def f():
    return f()
f()
#### recursion in repr
x = []
for i in range(100000):
    x = [x]
print(x)
#### mutual recursion with try
def f(n):
    try:
        return f(n + 1)
    except RecursionError:
        return f(n)
f(0)
#### fork by generators
def f():
    yield from f()
list(f())
#### deep nesting in the text
x = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
#### huge matrix product
import numpy as np
x = np.ones((6000, 6000))
for _ in range(100):
    x = x @ x
#### huge shift
x = 1 << (1 << 40)
#### huge range turned into a list
list(range(10 ** 12))
#### permutations
import itertools
print(len(list(itertools.permutations(range(14)))))
#### sleep
import time
time.sleep(10 ** 6)
#### dictionary of long keys
d = {}
i = 0
while True:
    d["k" * 1000 + str(i)] = i
    i += 1
#### integer printed with many digits
print(str(7 ** 10 ** 6))
#### sorting with a key that never returns
sorted([1, 2], key=lambda x: [None for _ in iter(int, 1)])
