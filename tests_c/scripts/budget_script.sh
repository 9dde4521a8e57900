#!/bin/sh
# budget_script.sh ROOT: redis_budget_script.h is what abi/budget_script.sh makes of budget.lua today.
set -eu
cd "$1"
abi/budget_script.sh | diff include/asyncpool/redis_budget_script.h -
