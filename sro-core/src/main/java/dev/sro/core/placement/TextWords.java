package dev.sro.core.placement;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Looks at text in UTF-8 eight bytes at a time. Not thread-safe. */
final class TextWords {
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int WORD = Long.BYTES;
    private static final long ONES = 0x0101010101010101L;
    private static final long TOPS = 0x8080808080808080L;
    private static final long QUOTES = ONES * '"';
    private static final long ESCAPES = ONES * '\\';
    private static final long SPACES = ONES * ' ';
    /** Odd, with bits all over: 2^64 by the golden ratio. */
    private static final long MIXER = 0x9E3779B97F4A7C15L;

    private final byte[] text;
    private int hash;

    TextWords(byte[] text) {
        this.text = text;
    }

    /** What a whole text hashes to. */
    static int hash(byte[] text) {
        long mixed = 0;
        for (int at = 0; at < text.length; at += WORD) {
            mixed = mix(mixed, word(text, at));
        }
        return folded(mixed);
    }

    /** Whether a part of a text is another one. Names are short, so that to prepare for long ones would cost more than the rest. */
    static boolean equal(byte[] text, int from, int to, byte[] other) {
        int length = other.length;
        if (to - from != length) {
            return false;
        }
        int at = 0;
        for (; at + WORD <= length; at += WORD) {
            if ((long) WORDS.get(text, from + at) != (long) WORDS.get(other, at)) {
                return false;
            }
        }
        for (; at < length; at++) {
            if (text[from + at] != other[at]) {
                return false;
            }
        }
        return true;
    }

    /** Whether a text can be in JSON as it is. */
    static boolean isPlain(byte[] text) {
        for (byte each : text) {
            if (each == '"' || each == '\\' || (each >= 0 && each < ' ')) {
                return false;
            }
        }
        return true;
    }

    /** What was read last hashes to. */
    int hash() {
        return hash;
    }

    /**
     * Reads a text of JSON up to the quote behind it.
     *
     * @return where that is; -1 if an escape or something that cannot be in a text comes first
     */
    int hashUpToQuote(int from) {
        long mixed = 0;
        int at = from;
        while (at < text.length) {
            long word = word(text, at);
            long ends = zeros(word ^ QUOTES) | zeros(word ^ ESCAPES) | ((word - SPACES) & ~word & TOPS);
            if (ends == 0) {
                mixed = mix(mixed, word);
                at += WORD;
                continue;
            }
            int bytes = Long.numberOfTrailingZeros(ends) / Byte.SIZE;
            if (bytes > 0) {
                mixed = mix(mixed, word & ((1L << (bytes * Byte.SIZE)) - 1));
            }
            hash = folded(mixed);
            int end = at + bytes;
            return end < text.length && text[end] == '"' ? end : -1;
        }
        return -1;
    }

    /** The top bit of each byte that is 0, up to the first one; what comes after that means nothing. */
    private static long zeros(long word) {
        return (word - ONES) & ~word & TOPS;
    }

    private static long mix(long mixed, long word) {
        long product = (mixed ^ word) * MIXER;
        return product ^ (product >>> 32);
    }

    private static int folded(long mixed) {
        return (int) (mixed ^ (mixed >>> 17));
    }

    /** The bytes from there on, the first one lowest; 0 where the text has ended. */
    private static long word(byte[] text, int at) {
        if (at + WORD <= text.length) {
            return (long) WORDS.get(text, at);
        }
        long word = 0;
        for (int i = text.length - 1; i >= at; i--) {
            word = (word << Byte.SIZE) | (text[i] & 0xff);
        }
        return word;
    }
}
