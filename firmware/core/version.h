#ifndef TENSHU_VERSION_H
#define TENSHU_VERSION_H

#define PROTOCOL_VERSION 1 /* must agree with PROTOCOL.md and link/wire.py */
#define FIRMWARE_VERSION "0.2.1" /* must agree with link/program.py */

#endif
