package dev.sro.testkit.http;

import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.ApiRequest;
import dev.sro.testkit.server.ApiResponse;
import dev.sro.testkit.server.ApiServer;
import dev.sro.testkit.server.LostAnswerException;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpServerConnection;
import org.apache.hc.core5.http.impl.io.HttpService;
import org.apache.hc.core5.http.io.HttpServerRequestHandler.ResponseTrigger;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityTemplate;
import org.apache.hc.core5.http.io.support.BasicHttpServerExpectationDecorator;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.http.protocol.HttpProcessor;
import org.apache.hc.core5.http.protocol.HttpProcessorBuilder;
import org.apache.hc.core5.http.protocol.ResponseConnControl;
import org.apache.hc.core5.http.protocol.ResponseContent;
import org.apache.hc.core5.http.protocol.ResponseDate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of a client: its requests one after the other, until either side ends it. A watch keeps the connection for itself.
 * {@link #run} and {@link #close} may be called by different threads.
 */
final class Connection implements Runnable, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    private static final HttpProcessor HEADERS = HttpProcessorBuilder.create()
            .addAll(new ResponseDate(), new ResponseContent(), new ResponseConnControl())
            .build();

    private final ApiServer server;
    private final Socket socket;
    private final Executor threads;
    private final DefaultBHttpServerConnection http = new DefaultBHttpServerConnection("http", Http1Config.DEFAULT);
    private final AtomicReference<@Nullable WatchQueue> watched = new AtomicReference<>();

    Connection(ApiServer server, Socket socket, Executor threads) {
        this.server = server;
        this.socket = socket;
        this.threads = threads;
    }

    @Override
    public void run() {
        try (socket;
                http) {
            // Head and body of an answer must not wait for each other's acknowledgement.
            socket.setTcpNoDelay(true);
            http.bind(socket);
            HttpService service = new HttpService(HEADERS, new BasicHttpServerExpectationDecorator(this::exchange));
            while (http.isOpen()) {
                service.handleRequest(http, HttpCoreContext.create());
            }
        } catch (IOException | HttpException | LostAnswerException e) {
            // The connection is broken, by the client or by a fault: ending it is all there is to do.
            LOG.debug("a connection ended", e);
        }
    }

    private void exchange(ClassicHttpRequest request, ResponseTrigger response, HttpContext context)
            throws HttpException, IOException {
        try {
            ApiRequest asked = Requests.of(request);
            if (ApiServer.isWatch(asked)) {
                watch(request, asked, response);
            } else {
                response.submitResponse(answer(server.handle(asked)));
            }
        } catch (ApiException e) {
            response.submitResponse(answer(ApiResponse.error(e)));
        } catch (LostAnswerException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.error("{} {} failed", request.getMethod(), request.getRequestUri(), e);
            response.submitResponse(
                    answer(ApiResponse.error(new ApiException(500, "InternalError", "Internal error occurred: " + e))));
        }
    }

    private static ClassicHttpResponse answer(ApiResponse from) {
        BasicClassicHttpResponse answer = new BasicClassicHttpResponse(from.status());
        if (!from.contentType().isEmpty()) {
            answer.setHeader("Content-Type", from.contentType());
        }
        from.headers().forEach((name, values) -> values.forEach(value -> answer.addHeader(name, value)));
        answer.setEntity(new ByteArrayEntity(from.body(), null));
        return answer;
    }

    private void watch(ClassicHttpRequest request, ApiRequest asked, ResponseTrigger response)
            throws HttpException, IOException {
        WatchQueue queue = new WatchQueue();
        try (ApiServer.Watch watch = server.watch(asked, queue)) {
            watched.set(queue);
            if (WebSocketHandshake.isAskedBy(request)) {
                upgrade(WebSocketHandshake.answer(request), queue, asked, watch);
            } else {
                response.submitResponse(stream(queue, asked, watch));
            }
        } catch (ApiException e) {
            response.submitResponse(answer(ApiResponse.error(e, asked)));
        } finally {
            watched.set(null);
        }
    }

    private static ClassicHttpResponse stream(WatchQueue queue, ApiRequest asked, ApiServer.Watch watch) {
        BasicClassicHttpResponse answer = new BasicClassicHttpResponse(200);
        answer.setHeader("Content-Type", watch.contentType());
        answer.setEntity(new EntityTemplate(
                -1, null, null, body -> queue.pump(new Lines(body), asked.param("timeoutSeconds"), watch::bookmark)));
        return answer;
    }

    /** From here on the socket is none of HTTP's: what is on it now was not asked for, and a client waits for the handshake. */
    private void upgrade(WebSocketHandshake handshake, WatchQueue queue, ApiRequest asked, ApiServer.Watch watch)
            throws IOException {
        if (!handshake.isAccepted()) {
            // Who hears the refusal may rely on it that nobody watches.
            watch.close();
        }
        socket.getOutputStream().write(handshake.bytes());
        if (handshake.isAccepted()) {
            new WatchSocket(socket, queue).serve(threads, asked.param("timeoutSeconds"), watch::bookmark);
        }
        http.close();
    }

    /** Ends its watch, as a server does that stops. */
    void endWatch() {
        WatchQueue queue = watched.get();
        if (queue != null) {
            queue.end();
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("a socket could not be closed", e);
        }
    }
}
