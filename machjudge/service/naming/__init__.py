"""What people may call themselves: nothing that reads like an office, a power or somebody else."""
