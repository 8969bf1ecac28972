package dev.sro.agent.kubelet;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the few kinds of protobuf fields that kubelet's messages have: strings, booleans, messages. Not thread-safe. */
final class WireWriter {
    static final int VARINT = 0;
    static final int BYTES = 2;

    private static final int LOW_BITS = 0x7f;
    private static final int MORE = 0x80;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** An empty string is left out, as proto3 has it. */
    WireWriter string(int field, String value) {
        return value.isEmpty() ? this : bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    /** An element of a list is written also where it is empty. */
    WireWriter element(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    /** False is left out. */
    WireWriter bool(int field, boolean value) {
        if (value) {
            varint((long) field << 3 | VARINT);
            varint(1);
        }
        return this;
    }

    /** Zero is left out. */
    WireWriter number(int field, long value) {
        if (value != 0) {
            varint((long) field << 3 | VARINT);
            varint(value);
        }
        return this;
    }

    /** Written also where it is empty: it may be an element of a list. */
    WireWriter message(int field, WireWriter value) {
        return bytes(field, value.bytes());
    }

    private WireWriter bytes(int field, byte[] value) {
        varint((long) field << 3 | BYTES);
        varint(value.length);
        out.writeBytes(value);
        return this;
    }

    private void varint(long value) {
        long left = value;
        while ((left & ~LOW_BITS) != 0) {
            out.write((int) (left & LOW_BITS) | MORE);
            left >>>= 7;
        }
        out.write((int) left);
    }

    byte[] bytes() {
        return out.toByteArray();
    }
}
