package dev.sro.agent.kubelet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads protobuf messages field by field; what is not known is passed over. Not thread-safe. */
final class WireReader {
    private static final int LOW_BITS = 0x7f;
    private static final int MORE = 0x80;
    private static final int FIXED64 = 1;
    private static final int FIXED32 = 5;
    private static final int LONGEST_VARINT = 64;

    private final byte[] in;
    private int at;
    private int field;
    private int type;

    WireReader(byte[] in) {
        this.in = in;
    }

    /** Goes to the next field; false at the end. */
    boolean next() throws IOException {
        if (at == in.length) {
            return false;
        }
        long tag = varint();
        field = (int) (tag >>> 3);
        type = (int) (tag & 7);
        if (field < 1) {
            throw new IOException("field " + field + " in a message");
        }
        return true;
    }

    /** The number of the present field. */
    int field() {
        return field;
    }

    String string() throws IOException {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    WireReader message() throws IOException {
        return new WireReader(bytes());
    }

    boolean bool() throws IOException {
        expect(WireWriter.VARINT);
        return varint() != 0;
    }

    /** A number of up to 64 bits. */
    long number() throws IOException {
        expect(WireWriter.VARINT);
        return varint();
    }

    /** Passes over the present field. */
    void skip() throws IOException {
        switch (type) {
            case WireWriter.VARINT -> varint();
            case WireWriter.BYTES -> bytes();
            case FIXED64 -> advance(Long.BYTES);
            case FIXED32 -> advance(Integer.BYTES);
            default -> throw new IOException("wire type " + type + " of field " + field);
        }
    }

    private byte[] bytes() throws IOException {
        expect(WireWriter.BYTES);
        long length = varint();
        if (length < 0 || length > in.length - at) {
            throw new IOException("field " + field + " is longer than its message");
        }
        int from = advance((int) length);
        return Arrays.copyOfRange(in, from, at);
    }

    private void expect(int wanted) throws IOException {
        if (type != wanted) {
            throw new IOException("field " + field + " has wire type " + type + " where " + wanted + " is expected");
        }
    }

    private int advance(int length) throws IOException {
        if (length > in.length - at) {
            throw new IOException("a message ends in the middle of field " + field);
        }
        int from = at;
        at += length;
        return from;
    }

    private long varint() throws IOException {
        long value = 0;
        for (int shift = 0; shift < LONGEST_VARINT; shift += 7) {
            int next = in[advance(1)];
            value |= (long) (next & LOW_BITS) << shift;
            if ((next & MORE) == 0) {
                return value;
            }
        }
        throw new IOException("a number is too long");
    }
}
