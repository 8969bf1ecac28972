package dev.sro.testkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.EmbeddedCluster;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a client hears that asks for a web socket, head by head. The key and its digest are those of RFC 6455, 1.3. */
class WebSocketHandshakeTest {
    private static final String WATCH = "/api/v1/nodes?watch=true";
    private static final String KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
    private static final String VERSION = "Sec-WebSocket-Version: 13";
    private static final String ORIGIN = "Origin: http://127.0.0.1";

    private final EmbeddedCluster cluster = EmbeddedCluster.create();
    private URI base = URI.create("http://127.0.0.1");

    @BeforeEach
    void serve() throws Exception {
        base = cluster.serveHttp(0).uri();
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    /** The head of the answer, its lines joined by a bar. */
    private String answer(String target, String... headers) throws Exception {
        try (Socket socket = new Socket(base.getHost(), base.getPort());
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))) {
            String head = Stream.concat(
                            Stream.of("GET " + target + " HTTP/1.1", "Host: a", "Upgrade: WebSocket"),
                            Stream.of(headers))
                    .collect(Collectors.joining("\r\n", "", "\r\n\r\n"));
            socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
            return lines.lines().takeWhile(line -> !line.isEmpty()).collect(Collectors.joining("|"));
        }
    }

    @Test
    void provesThatItIsAWebSocketServer() throws Exception {
        assertThat(answer(WATCH, "Connection: keep-alive, Upgrade", KEY, VERSION, ORIGIN))
                .isEqualTo("HTTP/1.1 101 Switching Protocols|Upgrade: websocket|Connection: Upgrade"
                        + "|Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "base64.binary.k8s.io; HTTP/1.1 101; Sec-WebSocket-Protocol: base64.binary.k8s.io",
                "base64url.bearer.authorization.k8s.io.dG9rZW4, x; HTTP/1.1 101; Sec-WebSocket-Protocol: x",
                "base64url.bearer.authorization.k8s.io.dG9rZW4; HTTP/1.1 401; Connection: close",
                "a, b; HTTP/1.1 400; Connection: close",
            })
    void takesTheOneSubprotocolThatIsNoToken(String asked, String status, String header) throws Exception {
        assertThat(answer(WATCH, "Connection: Upgrade", KEY, VERSION, ORIGIN, "Sec-WebSocket-Protocol: " + asked))
                .startsWith(status)
                .contains(header);
    }

    @Test
    void refusesHandshakesThatKubeApiserverRefuses() throws Exception {
        assertThat(answer(WATCH, "Connection: Upgrade", KEY, ORIGIN, "Sec-WebSocket-Version: 8"))
                .startsWith("HTTP/1.1 400")
                .contains("Sec-WebSocket-Version: 13");
        assertThat(answer(WATCH, "Connection: Upgrade", VERSION, ORIGIN)).startsWith("HTTP/1.1 400");
        assertThat(answer(WATCH, "Connection: Upgrade", KEY, VERSION)).startsWith("HTTP/1.1 403");
        assertThat(answer(WATCH, "Connection: Upgrade", KEY, VERSION, "Origin: null"))
                .startsWith("HTTP/1.1 403");
        assertThat(cluster.server().openWatches(null)).isZero();
    }

    @Test
    void answersByHttpWhatIsNoWatchOrCannotBeWatched() throws Exception {
        assertThat(answer("/api/v1/nodes", "Connection: Upgrade, close", KEY, VERSION, ORIGIN))
                .startsWith("HTTP/1.1 200");
        assertThat(answer("/api/v1/gadgets?watch=true", "Connection: Upgrade, close", KEY, VERSION, ORIGIN))
                .startsWith("HTTP/1.1 404")
                .contains("application/json");
    }

    @Test
    void streamsLinesToWhomAsksForAnUpgradeButNotOfThisConnection() throws Exception {
        assertThat(answer(WATCH, KEY, VERSION, ORIGIN))
                .startsWith("HTTP/1.1 200")
                .contains("Transfer-Encoding: chunked");
    }
}
