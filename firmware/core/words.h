/* Words kept in flash on chips that separate flash and RAM, and plain constants elsewhere. */
#ifndef TENSHU_WORDS_H
#define TENSHU_WORDS_H

#ifdef __FLASH
#define IN_FLASH __flash
#else
#define IN_FLASH
#endif

typedef const IN_FLASH char *word;

#endif
