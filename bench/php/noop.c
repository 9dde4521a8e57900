/* The cheapest C function that FFI can call. */
void noop(void) {}
