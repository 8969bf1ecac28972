package dev.sro.testkit.http;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The server's side of a web socket after the handshake, as RFC 6455 has it: each event is a text frame, pings are answered, a close
 * frame is answered by one. What clients send else is skipped, as kube-apiserver does with watches. One thread reads; any may write.
 */
final class WebSocketFrames implements WatchQueue.Output {
    /** Status codes of RFC 6455, 7.4.1. */
    static final int NORMAL_CLOSURE = 1000;

    static final int PROTOCOL_ERROR = 1002;

    private static final int FINAL = 0x80;
    private static final int MASKED = 0x80;
    private static final int RESERVED = 0x70;
    private static final int TEXT = 0x1;
    private static final int BINARY = 0x2;
    private static final int CLOSE = 0x8;
    private static final int PING = 0x9;
    private static final int PONG = 0xA;
    /** The most that a control frame carries, and that one byte tells of a length. */
    private static final int SHORT = 125;

    private static final int TWO_BYTES = 126;
    private static final int EIGHT_BYTES = 127;
    private static final int MASK_BYTES = 4;

    private final DataInputStream in;
    private final DataOutputStream out;
    private boolean closed;

    WebSocketFrames(InputStream in, OutputStream out) {
        this.in = new DataInputStream(new BufferedInputStream(in));
        this.out = new DataOutputStream(new BufferedOutputStream(out));
    }

    @Override
    public synchronized void write(byte[] event) throws IOException {
        if (!closed) {
            frame(TEXT, event);
        }
    }

    @Override
    public synchronized void flush() throws IOException {
        out.flush();
    }

    /** Sends a close frame, if none was sent; nothing is written after it. */
    synchronized void close(int status) throws IOException {
        close(new byte[] {(byte) (status >> Byte.SIZE), (byte) status});
    }

    private synchronized void close(byte[] status) throws IOException {
        if (!closed) {
            closed = true;
            frame(CLOSE, status);
            out.flush();
        }
    }

    private void frame(int opcode, byte[] payload) throws IOException {
        out.writeByte(FINAL | opcode);
        if (payload.length <= SHORT) {
            out.writeByte(payload.length);
        } else if (payload.length <= 0xFFFF) {
            out.writeByte(TWO_BYTES);
            out.writeShort(payload.length);
        } else {
            out.writeByte(EIGHT_BYTES);
            out.writeLong(payload.length);
        }
        out.write(payload);
    }

    /**
     * Reads frames until the client closes the socket or breaks the protocol; either is answered by a close frame.
     *
     * @throws EOFException if the connection ends without a close frame
     */
    void readUntilClosed() throws IOException {
        while (readFrame()) {
            // There is one more.
        }
    }

    private boolean readFrame() throws IOException {
        int first = in.readUnsignedByte();
        int second = in.readUnsignedByte();
        int opcode = first & 0xF;
        int announced = second & ~MASKED;
        boolean control = opcode >= CLOSE;
        boolean legal = (first & RESERVED) == 0
                && (second & MASKED) != 0
                && (control ? opcode <= PONG && (first & FINAL) != 0 && announced <= SHORT : opcode <= BINARY);
        long length = legal ? length(announced) : -1;
        if (length < 0) {
            close(PROTOCOL_ERROR);
            return false;
        }
        byte[] mask = in.readNBytes(MASK_BYTES);
        if (!control) {
            in.skipNBytes(length);
            return true;
        }
        return answer(opcode, unmasked(in.readNBytes((int) length), mask));
    }

    private long length(int announced) throws IOException {
        return switch (announced) {
            case TWO_BYTES -> in.readUnsignedShort();
            case EIGHT_BYTES -> in.readLong();
            default -> announced;
        };
    }

    private static byte[] unmasked(byte[] payload, byte[] mask) throws EOFException {
        if (mask.length < MASK_BYTES) {
            throw new EOFException();
        }
        for (int i = 0; i < payload.length; i++) {
            payload[i] ^= mask[i % MASK_BYTES];
        }
        return payload;
    }

    private synchronized boolean answer(int opcode, byte[] payload) throws IOException {
        if (opcode == CLOSE) {
            close(payload);
            return false;
        }
        if (opcode == PING && !closed) {
            frame(PONG, payload);
            out.flush();
        }
        return true;
    }
}
