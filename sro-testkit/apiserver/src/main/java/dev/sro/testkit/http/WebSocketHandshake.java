package dev.sro.testkit.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * What is said to a client that wants a watch as a web socket. The rules are those of kube-apiserver, which are those of
 * {@code golang.org/x/net/websocket}: an Origin has to be there, one subprotocol is taken whatever it is, of several none can be.
 *
 * @param status 101, or why not
 * @param headers of the answer
 * @param reason the body of a refusal
 */
record WebSocketHandshake(int status, List<String> headers, String reason) {
    static final int SWITCHING_PROTOCOLS = 101;

    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final String VERSION = "13";
    /** RFC 6455, 1.3. */
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    /** How a browser gives a token. Here everybody is the administrator, so it is only taken out of the subprotocols. */
    private static final String BEARER = "base64url.bearer.authorization.k8s.io.";

    WebSocketHandshake {
        headers = List.copyOf(headers);
    }

    /** Whether a request asks for a web socket. */
    static boolean isAskedBy(HttpRequest request) {
        return values(request, "Upgrade").anyMatch("websocket"::equalsIgnoreCase)
                && values(request, "Connection").anyMatch("upgrade"::equalsIgnoreCase);
    }

    static WebSocketHandshake answer(HttpRequest request) {
        if (!VERSION.equals(value(request, "Sec-WebSocket-Version"))) {
            return new WebSocketHandshake(
                    BAD_REQUEST, List.of("Sec-WebSocket-Version: " + VERSION), "missing or bad WebSocket Version");
        }
        String key = value(request, "Sec-WebSocket-Key");
        if (key == null || key.isEmpty()) {
            return refusal(BAD_REQUEST, "mismatch challenge/response");
        }
        String origin = value(request, "Origin");
        if (origin == null || origin.isEmpty() || origin.equals("null")) {
            return refusal(FORBIDDEN, "");
        }
        List<String> asked = values(request, "Sec-WebSocket-Protocol").toList();
        List<String> protocols =
                asked.stream().filter(name -> !name.startsWith(BEARER)).toList();
        if (!asked.isEmpty() && protocols.isEmpty()) {
            return refusal(UNAUTHORIZED, "missing additional subprotocol");
        }
        return protocols.size() > 1 ? refusal(BAD_REQUEST, "bad protocol") : accepted(key, protocols);
    }

    private static WebSocketHandshake accepted(String key, List<String> protocols) {
        return new WebSocketHandshake(
                SWITCHING_PROTOCOLS,
                Stream.concat(
                                Stream.of(
                                        "Upgrade: websocket",
                                        "Connection: Upgrade",
                                        "Sec-WebSocket-Accept: " + digest(key)),
                                protocols.stream().map(name -> "Sec-WebSocket-Protocol: " + name))
                        .toList(),
                "");
    }

    private static WebSocketHandshake refusal(int status, String reason) {
        return new WebSocketHandshake(status, List.of(), reason);
    }

    private static String digest(String key) {
        try {
            byte[] sha1 = MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(StandardCharsets.ISO_8859_1));
            return Base64.getEncoder().encodeToString(sha1);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    private static @Nullable String value(HttpRequest request, String name) {
        Header header = request.getFirstHeader(name);
        return header == null ? null : header.getValue().trim();
    }

    private static Stream<String> values(HttpRequest request, String name) {
        return Arrays.stream(request.getHeaders(name))
                .flatMap(header -> Stream.of(header.getValue().split(",")))
                .map(String::trim)
                .filter(value -> !value.isEmpty());
    }

    boolean isAccepted() {
        return status == SWITCHING_PROTOCOLS;
    }

    /** The answer as it goes over the wire. A refused connection ends with it. */
    byte[] bytes() {
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "HTTP/1.1 %d %s\r\n", status, phrase()));
        headers.forEach(header -> text.append(header).append("\r\n"));
        if (!isAccepted()) {
            text.append("Connection: close\r\nContent-Length: ")
                    .append(reason.length())
                    .append("\r\n");
        }
        return text.append("\r\n").append(reason).toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private String phrase() {
        return switch (status) {
            case SWITCHING_PROTOCOLS -> "Switching Protocols";
            case UNAUTHORIZED -> "Unauthorized";
            case FORBIDDEN -> "Forbidden";
            default -> "Bad Request";
        };
    }
}
