package dev.sro.core.recipe.source;

import static dev.sro.core.recipe.source.References.chart;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.outgoing.NameResolver;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.outgoing.OutgoingRules;
import dev.sro.core.outgoing.ProxyRules;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.source.WebServer.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who writes a special resource must not make SRO ask whomever he likes. Names are made up: all servers are here. */
class OutgoingRequestsTest {

    private static final String INDEX = "apiVersion: v1\nentries: {}\n";

    private final WebServer server;
    private final List<String> asked = new ArrayList<>();

    OutgoingRequestsTest() throws IOException {
        server = WebServer.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private List<InetAddress> resolve(String host) throws UnknownHostException {
        asked.add(host);
        return switch (host) {
            case "good.example", "proxy.example" -> List.of(InetAddress.getLoopbackAddress());
            case "metadata.example" -> List.of(InetAddress.getByName("169.254.169.254"));
            case "here.example" -> List.of(InetAddress.getByName("127.0.0.2"));
            // First a good one, then, when somebody asks again, another one.
            case "rebound.example" ->
                List.of(InetAddress.getByName(
                        asked.indexOf(host) == asked.size() - 1 ? "127.0.0.1" : "169.254.169.254"));
            default -> throw new UnknownHostException(host);
        };
    }

    private HttpClients clients(String rules, ProxyRules proxies) {
        NameResolver resolver = this::resolve;
        return new HttpClients(new OutgoingGate(OutgoingRules.parse("test", rules), () -> proxies, resolver));
    }

    private Throwable failure(String rules, String url) {
        HttpCharts charts = new HttpCharts(
                clients(rules, ProxyRules.NONE), new Secrets(), new ChartLoader(), Duration.ofSeconds(5));
        try {
            charts.fetch(chart("kmod", "", url));
        } catch (IOException | RuntimeException e) {
            return e;
        }
        throw new AssertionError("nothing was refused");
    }

    private String port() {
        return server.host().replaceFirst(".*:", "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:PORT",
                "http://[::1]:PORT",
                "http://[::ffff:127.0.0.1]:PORT",
                "http://0.0.0.0:PORT",
                "http://2130706433:PORT",
                "http://169.254.169.254/latest/meta-data",
                "http://here.example:PORT",
                "http://metadata.example"
            })
    void aChartDoesNotComeFromHere(String url) {
        server.on("/index.yaml", request -> Response.of(INDEX));
        assertThat(failure("*", url.replace("PORT", port())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("may not be asked");
        assertThat(server.requests).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://metadata.example/x", "http://127.0.0.2:9/", "http://[::ffff:169.254.169.254]/x"})
    void aRedirectIsCheckedAgain(String location) {
        server.on("/index.yaml", request -> Response.status(302).with("Location", location));
        assertThat(failure("*,127.0.0.1", "http://good.example:" + port())).hasMessageContaining("may not be asked");
        assertThat(server.requests).hasSize(1);
    }

    @Test
    void aRegistryThatGivesTokensElsewhereIsChecked() {
        Registries registries = new Registries(clients("*,127.0.0.1", ProxyRules.NONE), Duration.ofSeconds(5));
        server.on(
                "/v2/a/b/manifests/1",
                request -> Response.status(401)
                        .with("WWW-Authenticate", "Bearer realm=\"http://metadata.example/token\",service=\"x\""));
        Registries.Address address = new Registries.Address(
                "good.example:" + port(), "a/b", "user", "geheim", "", Registries.Security.PLAIN, "");
        assertThatThrownBy(() -> registries.open(address).manifest("1", List.of("x")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("metadata.example may not be asked");
    }

    @Test
    void aNameIsResolvedOnceAndThatAddressIsConnectedTo() {
        server.on("/index.yaml", request -> Response.of(INDEX));
        assertThat(failure("*,127.0.0.1", "http://rebound.example:" + port()))
                .as("the index came, and has no such chart")
                .hasMessageContaining("kmod");
        assertThat(asked).containsExactly("rebound.example");
        assertThat(server.requests)
                .singleElement()
                .satisfies(request -> assertThat(request.header("Host")).isEqualTo("rebound.example:" + port()));
    }

    /** A closed port, one where no web server listens, and one with another protocol. */
    @Test
    @SuppressWarnings("try")
    void messagesDoNotTellPortsApart() throws IOException {
        try (ServerSocket ssh = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ServerSocket gone = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread banner = new Thread(() -> banners(ssh));
            banner.setDaemon(true);
            banner.start();
            int closed = gone.getLocalPort();
            gone.close();
            String rules = "*,127.0.0.1";
            List<String> messages = new ArrayList<>();
            for (String at : List.of("" + closed, "" + ssh.getLocalPort())) {
                for (String scheme : List.of("http", "https")) {
                    messages.add(said(rules, scheme, at));
                }
            }
            messages.add(said(rules, "https", port()));
            assertThat(messages)
                    .containsOnly("no usable answer within 5 s. Check name, port and proxy; if the"
                            + " server's certificate comes from a CA of your own, name that in credentialsSecret (ca.crt) or"
                            + " caFile. The log of SRO says more");
            assertThat(failure("good.example,127.0.0.1", "http://good.example:" + closed))
                    .as("of a server that the administrator named")
                    .hasMessageContaining("no connection");
        }
    }

    private String said(String rules, String scheme, String port) {
        String url = scheme + "://good.example:" + port;
        return String.valueOf(failure(rules, url).getMessage()).replace("GET " + url + "/index.yaml: ", "");
    }

    private static void banners(ServerSocket ssh) {
        while (!ssh.isClosed()) {
            try (Socket socket = ssh.accept()) {
                socket.getOutputStream().write("SSH-2.0-OpenSSH_9.6\r\n".getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                return;
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"'', quay.invalid, true", "'quay.invalid', quay.invalid, false"})
    void plainHttpGoesThroughTheProxy(String noProxy, String host, boolean through) {
        server.on("/index.yaml", request -> Response.of(INDEX));
        HttpCharts charts = new HttpCharts(
                clients("*", ProxyRules.of("http://user:pass@proxy.example:" + port(), "", noProxy)),
                new Secrets(),
                new ChartLoader(),
                Duration.ofSeconds(5));
        assertThatThrownBy(() -> charts.fetch(chart("kmod", "", "http://" + host)))
                .isInstanceOf(Exception.class);
        assertThat(asked).containsExactly(through ? "proxy.example" : host);
        assertThat(server.requests).hasSize(through ? 1 : 0);
        assertThat(server.requests).allSatisfy(request -> {
            assertThat(request.header("Host")).isEqualTo(host);
            assertThat(request.header("Proxy-authorization")).isEqualTo("Basic dXNlcjpwYXNz");
        });
    }

    @Test
    void whatAProxyMayNotBeAskedForIsNotAsked() {
        HttpClients clients = clients("*", ProxyRules.of("http://proxy.example:" + port(), "", ""));
        HttpCharts charts = new HttpCharts(clients, new Secrets(), new ChartLoader(), Duration.ofSeconds(5));
        assertThatThrownBy(() -> charts.fetch(chart("kmod", "", "http://169.254.169.254")))
                .hasMessageContaining("may not be asked");
        assertThat(asked).isEmpty();
    }
}
