/* For tests that call every exported function: none can be forgotten, a new one neither. */
#ifndef ASYNCPOOL_GOLDEN_H
#define ASYNCPOOL_GOLDEN_H

/* The names are those of abi/symbols.txt, in this order; what follows behind them is the test's. */
void golden_check(const char *(*name)(int i), int count);

#endif
