/* Why the chip started, and how to restart it. */
#ifndef TENSHU_START_H
#define TENSHU_START_H

#include "../core/board.h"

enum cause start_cause(void);
void start_again(void);

#endif
