package linear

import "github.com/anishathalye/porcupine"

// What owners of a pool do: they change its size, have all replaced, and take resources out.
var owning = []smallHistory{
	{"a pool that grows serves who waits", "1 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 step 1000 wait 0
		2 5 6 resize 2 OK 0
		1 7 8 back 0 create 0`, porcupine.Ok},
	{"at once", "1 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 step 1000 wait 0
		2 5 6 resize 2 OK 0
		1 7 8 back 0 wait 0`, porcupine.Illegal},
	{"and nobody else in the new place", "1 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 step 1000 wait 0
		2 5 6 resize 2 OK 0
		2 7 8 try 0 create 0`, porcupine.Illegal},
	{"one that shrinks destroys what is idle, the oldest first", "3 1 3 0", `
		0 1 2 resize 1 destroy 1
		0 3 4 destroyed 1 destroy 2
		0 5 6 destroyed 2 OK 0
		1 7 8 try 0 OK 3
		1 9 10 look 0 counts 0 0 1 0 0 0 0 1`, porcupine.Ok},
	{"not the youngest", "2 1 2 0", `
		0 1 2 resize 1 destroy 2`, porcupine.Illegal},
	{"nor more than is above its places", "3 1 3 0", `
		0 1 2 resize 2 destroy 1
		0 3 4 destroyed 1 destroy 2`, porcupine.Illegal},
	{"nor less", "2 1 2 0", `
		0 1 2 resize 1 OK 0`, porcupine.Illegal},
	{"what is lent above its places is destroyed when it comes back", "2 1 2 0", `
		0 1 2 try 0 OK 1
		0 3 4 try 0 OK 2
		1 5 6 resize 1 OK 0
		0 7 8 release 1 destroy 1
		0 9 10 destroyed 1 OK 0
		0 11 12 release 2 OK 0`, porcupine.Ok},
	{"and not kept", "2 1 2 0", `
		0 1 2 try 0 OK 1
		0 3 4 try 0 OK 2
		1 5 6 resize 1 OK 0
		0 7 8 release 1 OK 0`, porcupine.Illegal},
	{"while it is destroyed the next that comes back is not one too many", "2 1 2 0", `
		0 1 2 try 0 OK 1
		1 3 4 try 0 OK 2
		1 5 6 resize 1 OK 0
		0 7 8 release 1 destroy 1
		1 9 10 release 2 destroy 2`, porcupine.Illegal},
	{"but it has its place", "2 1 2 0", `
		0 1 2 try 0 OK 1
		1 3 4 try 0 OK 2
		1 5 6 resize 1 OK 0
		0 7 8 release 1 destroy 1
		1 9 10 release 2 OK 0
		1 11 12 try 0 OK 2`, porcupine.Illegal},
	{"nothing is made above its places", "2 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 resize 1 OK 0
		1 5 6 try 0 create 0`, porcupine.Illegal},
	{"who was promised an idle resource has it, though the pool shrinks", "2 1 2 0", `
		0 1 2 try 0 OK 1
		0 3 4 try 0 OK 2
		1 5 6 step 1000 wait 0
		2 7 8 step 1000 wait 0
		0 9 10 release 1 OK 0
		0 11 12 release 2 OK 0
		0 13 14 resize 1 OK 0
		2 15 16 back 0 OK 2
		1 17 18 cancel 0 destroy 1
		1 19 20 destroyed 1 ERR_CANCELLED 0`, porcupine.Ok},
	{"who was promised a place to make one too many is in line again, before others", "2 1 2 0", oneRecalled + `
		4 21 22 step 1000 wait 0
		1 23 24 back 0 create 0
		1 25 26 created 3 OK 3
		1 27 28 release 3 OK 0
		4 29 30 back 0 wait 0
		2 31 32 back 0 OK 3`, porcupine.Ok},
	{"and makes none", "2 1 2 0", oneRecalled + `
		2 21 22 back 0 create 0`, porcupine.Illegal},
	{"nor is it behind who came later", "2 1 2 0", oneRecalled + `
		4 21 22 step 1000 wait 0
		1 23 24 back 0 create 0
		1 25 26 created 3 OK 3
		1 27 28 release 3 OK 0
		4 29 30 back 0 OK 3`, porcupine.Illegal},
	{"it is the promise that was given last", "2 1 2 0", oneRecalled + `
		1 21 22 back 0 wait 0`, porcupine.Illegal},
	{"and is sent away, if the breaker has opened since", "2 1 2 0", twoPromised + `
		3 19 20 deactivate 0 OK 0
		3 21 22 activate 0 OK 0
		3 23 24 resize 1 OK 0
		2 25 26 back 0 ERR_UNAVAILABLE 0
		1 27 28 back 0 create 0`, porcupine.Ok},
	{"a pool that is closed or drained has its size", "1 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 drain 0 wait 0
		0 5 6 resize 2 OK 0`, porcupine.Illegal},

	{"an evict destroys what is idle", "2 1 2 0", `
		0 1 2 evict 0 destroy 1
		0 3 4 destroyed 1 destroy 2
		0 5 6 destroyed 2 OK 0
		1 7 8 try 0 create 0`, porcupine.Ok},
	{"all of it", "1 1 1 0", `
		0 1 2 evict 0 OK 0`, porcupine.Illegal},
	{"and what is lent when it comes back", "1 1 1 2", `
		0 1 2 try 0 OK 1
		1 3 4 evict 0 OK 0
		0 5 6 release 1 inspect 1
		0 7 8 kept 1 destroy 1
		0 9 10 destroyed 1 OK 0`, porcupine.Ok},
	{"which is not kept", "1 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 evict 0 OK 0
		0 5 6 release 1 OK 0`, porcupine.Illegal},
	{"nothing of it is lent meanwhile", "2 1 2 0", `
		0 1 2 evict 0 destroy 1
		1 3 4 try 0 OK 2`, porcupine.Illegal},
	{"who finds no other room destroys one", "2 1 2 0", `
		0 1 2 evict 0 destroy 1
		1 3 4 try 0 destroy 2
		1 5 6 destroyed 2 create 0
		0 7 8 destroyed 1 OK 0`, porcupine.Ok},
	{"and only then", "3 1 2 0", `
		0 1 2 evict 0 destroy 1
		1 3 4 try 0 destroy 2`, porcupine.Illegal},
	{"what is being made meanwhile is lent to who makes it, and destroyed then", "1 1 0 0", `
		0 1 2 try 0 create 0
		1 3 4 evict 0 OK 0
		0 5 6 created 1 OK 1
		0 7 8 release 1 destroy 1
		0 9 10 destroyed 1 OK 0`, porcupine.Ok},
	{"and not lent again", "1 1 0 0", `
		0 1 2 try 0 create 0
		1 3 4 evict 0 OK 0
		0 5 6 created 1 OK 1
		0 7 8 release 1 OK 0`, porcupine.Illegal},
	{"what is being checked meanwhile is not lent", "1 1 1 1", `
		0 1 2 try 0 check 1
		1 3 4 evict 0 OK 0
		0 5 6 passed 1 OK 1`, porcupine.Illegal},
	{"who was promised what is evicted destroys it, and makes another", "1 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 step 1000 wait 0
		0 5 6 release 1 OK 0
		2 7 8 evict 0 OK 0
		1 9 10 back 0 destroy 1
		1 11 12 destroyed 1 create 0`, porcupine.Ok},
	{"and is not lent it", "1 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 step 1000 wait 0
		0 5 6 release 1 OK 0
		2 7 8 evict 0 OK 0
		1 9 10 back 0 OK 1`, porcupine.Illegal},
	{"what is made later is lent again", "1 1 1 0", `
		0 1 2 evict 0 destroy 1
		0 3 4 destroyed 1 OK 0
		0 5 6 try 0 create 0
		0 7 8 created 2 OK 2
		0 9 10 release 2 destroy 2`, porcupine.Illegal},

	{"what is discarded is destroyed, and its place the next one's", "1 1 1 2", `
		0 1 2 try#1 0 OK 1
		1 3 4 step 1000 wait 0
		0 5 6 discard#1 1 destroy 1
		0 7 8 destroyed 1 OK 0
		1 9 10 back 0 create 0
		0 11 12 discard#1 1 ERR_NOT_OWNED 0`, porcupine.Ok},
	{"nobody is asked about it", "1 1 1 2", `
		0 1 2 try 0 OK 1
		0 3 4 discard 1 inspect 1`, porcupine.Illegal},
	{"it is not idle", "1 1 1 0", `
		0 1 2 try 0 OK 1
		0 3 4 discard 1 OK 0`, porcupine.Illegal},
	{"what is detached leaves its place to the next", "1 1 1 2", `
		0 1 2 try 0 OK 1
		1 3 4 step 1000 wait 0
		0 5 6 detach 1 OK 0
		1 7 8 back 0 create 0
		0 9 10 release 1 ERR_NOT_OWNED 0`, porcupine.Ok},
	{"is not destroyed", "1 1 1 0", `
		0 1 2 try 0 OK 1
		0 3 4 detach 1 destroy 1`, porcupine.Illegal},
	{"and not lent again", "1 1 1 0", `
		0 1 2 try 0 OK 1
		0 3 4 detach 1 OK 0
		0 5 6 try 0 OK 1`, porcupine.Illegal},
}

// Two in line are promised a place each, in which they are to make a resource.
const twoPromised = `
		0 1 2 try 0 OK 1
		0 3 4 try 0 OK 2
		1 5 6 step 1000 wait 0
		2 7 8 step 1000 wait 0
		0 9 10 discard 1 destroy 1
		0 11 12 destroyed 1 OK 0
		0 13 14 discard 2 destroy 2
		0 15 16 destroyed 2 OK 0`

// And one of the two promises is recalled.
const oneRecalled = twoPromised + `
		3 17 18 resize 1 OK 0`
