"""Whether an address is our own."""


def is_own(address: str, judge: str) -> bool:
    """Whether an address is the judge's, with or without ``+anything`` before the @."""
    local, _, domain = address.lower().rpartition("@")
    own_local, _, own_domain = judge.lower().rpartition("@")
    return (local.partition("+")[0], domain) == (own_local.partition("+")[0], own_domain)
