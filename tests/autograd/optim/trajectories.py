"""Optimizers and schedules that are compared with PyTorch, and what is noted of each as it runs."""

from __future__ import annotations

from typing import Any

import numpy as np

OPTIMIZERS = [
    "optim.SGD(params, lr=0.1)",
    "optim.SGD(params)",
    "optim.SGD(params, lr=0.1, momentum=0.9)",
    "optim.SGD(params, lr=0.1, momentum=0.9, dampening=0.3, weight_decay=0.05)",
    "optim.SGD(params, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01)",
    "optim.SGD(params, lr=0.1, maximize=True, momentum=0.5)",
    "optim.SGD(params, lr=torch.tensor(0.1))",
    "optim.Adam(params)",
    "optim.Adam(params, lr=0.05, betas=(0.8, 0.95), eps=1e-3)",
    "optim.Adam(params, lr=0.05, amsgrad=True, weight_decay=0.1)",
    "optim.Adam(params, lr=0.05, maximize=True)",
    "optim.AdamW(params, lr=0.05)",
    "optim.AdamW(params, lr=0.05, weight_decay=0.2, amsgrad=True)",
    "optim.RMSprop(params)",
    "optim.RMSprop(params, lr=0.05, alpha=0.8, momentum=0.7, centered=True, weight_decay=0.1)",
    "optim.RMSprop(params, lr=0.05, maximize=True)",
    "optim.Adagrad(params)",
    "optim.Adagrad(params, lr=0.1, lr_decay=0.2, weight_decay=0.1, initial_accumulator_value=0.5)",
    "optim.ASGD(params)",
    "optim.ASGD(params, lr=0.1, lambd=0.01, alpha=0.5, t0=2, weight_decay=0.1)",
    "optim.ASGD(params, lr=0.05, t0=0, maximize=True)",
    "optim.Adafactor(params)",
    "optim.Adafactor(params, lr=0.5, beta2_decay=-0.5, eps=(1e-4, 0.01), d=2.0, weight_decay=0.1)",
    "optim.Adafactor(params, maximize=True)",
    "optim.Adadelta(params)",
    "optim.Adadelta(params, lr=0.5, rho=0.8, weight_decay=0.1, maximize=True)",
    "optim.Rprop(params)",
    "optim.Rprop(params, lr=0.1, etas=(0.4, 1.3), step_sizes=(0.01, 0.2), maximize=True)",
    "optim.Adamax(params)",
    "optim.Adamax(params, lr=0.05, betas=(0.7, 0.8), weight_decay=0.1)",
    "optim.NAdam(params)",
    "optim.NAdam(params, lr=0.05, weight_decay=0.1, decoupled_weight_decay=True, momentum_decay=0.1)",
    "optim.RAdam(params)",
    "optim.RAdam(params, lr=0.05, betas=(0.8, 0.7), weight_decay=0.1)",
    "optim.SGD([{'params': params[:1], 'lr': 0.5}, {'params': params[1:]}], lr=0.01, momentum=0.9)",
    "optim.Adam([{'params': params[:1], 'betas': (0.5, 0.6)}, {'params': params[1:], 'weight_decay': 0.1}], lr=0.05)",
]

SCHEDULES = [
    "lr.StepLR(opt, 3)",
    "lr.StepLR(opt, step_size=2, gamma=0.5)",
    "lr.MultiStepLR(opt, milestones=[2, 5, 5, 9], gamma=0.3)",
    "lr.ExponentialLR(opt, 0.9)",
    "lr.CosineAnnealingLR(opt, T_max=5)",
    "lr.CosineAnnealingLR(opt, T_max=4, eta_min=0.01)",
    "lr.CosineAnnealingWarmRestarts(opt, T_0=3, T_mult=2)",
    "lr.LambdaLR(opt, lambda epoch: 0.95 ** epoch)",
    "lr.LambdaLR(opt, [lambda epoch: 1 / (1 + epoch), lambda epoch: 0.5])",
    "lr.MultiplicativeLR(opt, lambda epoch: 0.9)",
    "lr.LinearLR(opt)",
    "lr.LinearLR(opt, start_factor=0.1, end_factor=0.8, total_iters=4)",
    "lr.ConstantLR(opt, factor=0.5, total_iters=4)",
    "lr.PolynomialLR(opt, total_iters=8, power=2.0)",
    "lr.OneCycleLR(opt, max_lr=1.0, total_steps=12)",
    "lr.OneCycleLR(opt, max_lr=[1.0, 0.5], epochs=3, steps_per_epoch=4, anneal_strategy='linear', three_phase=True)",
    "lr.CyclicLR(opt, base_lr=0.1, max_lr=0.5, step_size_up=3, mode='triangular2')",
    "lr.CyclicLR(opt, base_lr=0.1, max_lr=0.5, step_size_up=3, step_size_down=2, mode='exp_range', gamma=0.9)",
    "lr.SequentialLR(opt, [lr.LinearLR(opt, 0.1, total_iters=3), lr.CosineAnnealingLR(opt, 6)], milestones=[3])",
    "lr.SequentialLR(opt, [lr.ConstantLR(opt, 0.1, 2), lr.ExponentialLR(opt, 0.9), lr.StepLR(opt, 2)], [2, 6])",
    "lr.ChainedScheduler([lr.ConstantLR(opt, 0.1, 3), lr.ExponentialLR(opt, 0.9)])",
    "lr.ReduceLROnPlateau(opt, patience=1)",
    "lr.ReduceLROnPlateau(opt, 'max', 0.5, 0, threshold_mode='abs', threshold=0.1, cooldown=1, min_lr=0.02)",
]


def _parameters(torch: Any) -> list[Any]:
    random = np.random.default_rng(7)
    shapes: list[tuple[int, ...]] = [(2, 3), (4,), ()]
    return [torch.tensor(random.normal(size=s).astype(np.float32), requires_grad=True) for s in shapes]


def _gradients(torch: Any, params: list[Any], step: int) -> None:
    random = np.random.default_rng(100 + step)
    for param in params:
        param.grad = torch.tensor(random.normal(size=tuple(param.shape)).astype(np.float32))


def plain_state(value: Any) -> Any:
    """A state dict with lists in place of tensors."""
    if isinstance(value, dict):
        return {str(key): plain_state(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_state(item) for item in value]
    if hasattr(value, "tolist"):
        return [str(value.dtype), list(value.shape), value.detach().tolist()]
    return value


def trajectory(text: str, torch: Any) -> dict[str, Any]:
    """Six steps: parameters after each, versions, the state at the end, the printed form; then on from that state."""
    params = _parameters(torch)
    names = {"optim": torch.optim, "torch": torch}
    optimizer = eval(text, {**names, "params": params})
    out: dict[str, Any] = {"repr": repr(optimizer), "steps": []}
    for step in range(6):
        _gradients(torch, params, step)
        if step == 3:
            params[1].grad = None
        optimizer.step()
        out["steps"].append([p.detach().tolist() for p in params])
    out["versions"] = [p._version for p in params]
    out["state"] = plain_state(optimizer.state_dict())
    again = eval(text, {**names, "params": [p.detach().clone().requires_grad_() for p in params]})
    again.load_state_dict(optimizer.state_dict())
    params = [p for group in again.param_groups for p in group["params"]]
    _gradients(torch, params, 6)
    again.step()
    out["resumed"] = [p.detach().tolist() for p in params]
    return out


def schedule(text: str, torch: Any) -> dict[str, Any]:
    """Twelve epochs: the rates (and momenta) after each."""
    params = _parameters(torch)
    optimizer = torch.optim.SGD([{"params": params[:1]}, {"params": params[1:], "lr": 0.2}], lr=0.4, momentum=0.9)
    lr = torch.optim.lr_scheduler
    scheduler = eval(text, {"opt": optimizer, "lr": lr})
    out: dict[str, Any] = {"start": [g["lr"] for g in optimizer.param_groups], "rates": []}
    metrics = [1.0, 0.9, 0.9, 0.91, 0.95, 0.5, 0.5, 0.52, 0.51, 0.5, 0.3, 0.31]
    for epoch in range(12):
        optimizer.step()
        if isinstance(scheduler, lr.ReduceLROnPlateau):
            scheduler.step(metrics[epoch])
        else:
            scheduler.step()
        out["rates"].append([[g["lr"], g["momentum"]] for g in optimizer.param_groups])
    out["last"] = scheduler.get_last_lr()
    return out
