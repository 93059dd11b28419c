/* Words that stay in the flash of a chip that keeps flash and RAM apart, and are plain constants elsewhere. */
#ifndef TENSHU_WORDS_H
#define TENSHU_WORDS_H

#ifdef __FLASH
#define IN_FLASH __flash
#else
#define IN_FLASH
#endif

typedef const IN_FLASH char *word;

#endif
