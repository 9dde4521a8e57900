#!/bin/sh
# budget_script.sh ROOT: what C and PHP send is what abi/budget_script.sh makes of budget.lua today.
set -eu
cd "$1"
abi/budget_script.sh | diff include/asyncpool/redis_budget_script.h -
abi/budget_script.sh php | diff bridge/php/src/Internal/Budget/Script.php -
