package dev.sro.core.outgoing;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/** A socket of which no read lasts beyond a deadline, however slowly the bytes come: the handshake of TLS included. */
final class TimedSocket extends Socket {

    private final Deadline deadline;

    TimedSocket(Deadline deadline) {
        this.deadline = deadline;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new FilterInputStream(super.getInputStream()) {
            @Override
            public int read() throws IOException {
                setSoTimeout(deadline.millis());
                return super.read();
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                setSoTimeout(deadline.millis());
                return super.read(bytes, offset, length);
            }
        };
    }
}
