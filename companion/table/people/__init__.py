"""Who is at the table: devices, seats and the host, and what each may do."""
