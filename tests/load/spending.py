"""What processes have spent so far."""

import psutil


def spent(pid: int) -> float:
    """Seconds of CPU that a process and all that it has started have used so far."""
    process = psutil.Process(pid)
    times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
    gone = process.cpu_times()
    return (
        sum(each.user + each.system for each in times) + gone.children_user + gone.children_system
    )


def spent_alone(pid: int) -> float:
    """Seconds of CPU that a process has used so far, without what it has started."""
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system
