package dev.sro.core.outgoing;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;

/** What a server answered. The body is read from its connection, which is closed with this. For one use, on one thread. */
public final class OutgoingAnswer implements AutoCloseable {

    private final ClassicHttpResponse response;
    private final Socket socket;
    private final Deadline deadline;

    OutgoingAnswer(ClassicHttpResponse response, Socket socket, Deadline deadline) {
        this.response = response;
        this.socket = socket;
        this.deadline = deadline;
    }

    /** The status of HTTP. */
    public int status() {
        return response.getCode();
    }

    /** The first of this name; empty when there is none. */
    public String header(String name) {
        Header header = response.getFirstHeader(name);
        return header == null || header.getValue() == null ? "" : header.getValue();
    }

    /** All of this name. */
    public List<String> headers(String name) {
        return Arrays.stream(response.getHeaders(name))
                .map(header -> header.getValue() == null ? "" : header.getValue())
                .toList();
    }

    /** The body, which has to come before the deadline of the request. */
    public InputStream body() throws IOException {
        HttpEntity entity = response.getEntity();
        InputStream content = entity == null ? null : entity.getContent();
        return content == null ? InputStream.nullInputStream() : content;
    }

    /**
     * The body of a long answer: each read has the whole time of the request. To close it ends the connection, also from another
     * thread.
     */
    public InputStream stream() throws IOException {
        deadline.eachRead();
        InputStream body = body();
        return new InputStream() {
            @Override
            public int read() throws IOException {
                return body.read();
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                return body.read(bytes, offset, length);
            }

            @Override
            public void close() throws IOException {
                socket.close();
            }
        };
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
