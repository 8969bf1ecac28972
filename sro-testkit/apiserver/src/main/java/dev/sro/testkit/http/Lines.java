package dev.sro.testkit.http;

import java.io.IOException;
import java.io.OutputStream;

/** A watch as the body of an answer: one event per line. Confined to one thread. */
final class Lines implements WatchQueue.Output {
    private final OutputStream out;

    Lines(OutputStream out) {
        this.out = out;
    }

    @Override
    public void write(byte[] event) throws IOException {
        out.write(event);
        out.write('\n');
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }
}
