package dev.sro.core.recipe.source;

import static dev.sro.core.recipe.source.References.chart;
import static dev.sro.core.recipe.source.References.index;
import static dev.sro.core.recipe.source.References.problem;
import static dev.sro.core.recipe.source.References.withSecret;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.resource.ChartReference;
import dev.sro.core.model.Digests;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.recipe.chart.ChartArchives;
import dev.sro.core.recipe.chart.ChartLimits;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.source.WebServer.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpChartsTest {

    private static final byte[] KMOD = ChartArchives.chart("kmod", "1.2.0");

    /** user:geheim */
    private static final String LOGIN = "Basic dXNlcjpnZWhlaW0=";

    private final Secrets secrets =
            new Secrets().put("login", "username", "user").put("login", "password", "geheim\n");
    private final HttpClients clients = new HttpClients(OutgoingGate.open());
    private final HttpCharts charts = charts(new ChartLoader(), Duration.ofSeconds(20));
    private WebServer server;
    private WebServer elsewhere;

    private HttpCharts charts(ChartLoader loader, Duration limit) {
        return new HttpCharts(clients, secrets, loader, limit);
    }

    @BeforeEach
    void start() throws IOException {
        server = WebServer.start();
        elsewhere = WebServer.start();
    }

    @AfterEach
    void stop() {
        server.close();
        elsewhere.close();
    }

    private void serve(String folder, String url, String digest) {
        server.on(folder + "/index.yaml", index("kmod", "1.2.0", url, digest));
        server.on(folder + "/kmod-1.2.0.tgz", KMOD);
    }

    private ChartReference kmod(String folder) {
        return chart("kmod", "^1", server.url() + folder);
    }

    @ParameterizedTest
    @CsvSource({"'',/", "/,/", "/stable,/stable/", "/stable/,/stable/"})
    void getsTheIndexAndWhatItNames(String folder, String path) throws IOException {
        serve(path.substring(0, path.length() - 1), "kmod-1.2.0.tgz", Digests.sha256(KMOD));
        ChartFetcher.Fetched fetched = charts.fetch(kmod(folder));
        assertThat(fetched.chart().label()).isEqualTo("kmod 1.2.0");
        assertThat(fetched.warnings()).isEmpty();
        assertThat(server.paths()).containsExactly(path + "index.yaml", path + "kmod-1.2.0.tgz");
    }

    @Test
    void theQueryOfTheAddressIsKept() throws IOException {
        server.on("/index.yaml?t=1", index("kmod", "1.2.0", "/a/kmod.tgz", ""));
        server.on("/a/kmod.tgz?t=1", KMOD);
        assertThat(charts.fetch(chart("kmod", "1.2.0", server.url() + "?t=1"))
                        .chart()
                        .label())
                .isEqualTo("kmod 1.2.0");
    }

    @Test
    void aRefreshCostsOneConditionalRequest() throws IOException {
        byte[] index = index("kmod", "1.2.0", "kmod-1.2.0.tgz", Digests.sha256(KMOD));
        server.on(
                "/index.yaml",
                request -> request.header("If-none-match").equals("\"1\"")
                        ? Response.status(304)
                        : Response.of(index).with("ETag", "\"1\""));
        server.on("/kmod-1.2.0.tgz", KMOD);
        ChartFetcher.Fetched first = charts.fetch(kmod(""));
        server.requests.clear();
        assertThat(charts.fetch(kmod("")).chart()).isSameAs(first.chart());
        assertThat(server.paths()).containsExactly("/index.yaml");
        assertThat(server.requests.get(0).header("If-none-match")).isEqualTo("\"1\"");
    }

    @Test
    void withoutADigestTheArchiveIsAskedForConditionally() throws IOException {
        String date = "Wed, 21 Oct 2026 07:28:00 GMT";
        server.on("/index.yaml", index("kmod", "1.2.0", "kmod-1.2.0.tgz", ""));
        server.on(
                "/kmod-1.2.0.tgz",
                request -> request.header("If-modified-since").equals(date)
                        ? Response.status(304)
                        : Response.of(KMOD).with("Last-Modified", date));
        ChartFetcher.Fetched first = charts.fetch(kmod(""));
        assertThat(charts.fetch(kmod("")).chart()).isSameAs(first.chart());
        assertThat(server.requests.get(3).header("If-modified-since")).isEqualTo(date);
    }

    @Test
    void aNewVersionIsFetched() throws IOException {
        serve("", "kmod-1.2.0.tgz", "");
        charts.fetch(kmod(""));
        server.on("/index.yaml", index("kmod", "1.3.0", "kmod-1.3.0.tgz", ""));
        server.on("/kmod-1.3.0.tgz", ChartArchives.chart("kmod", "1.3.0"));
        assertThat(charts.fetch(kmod("")).chart().label()).isEqualTo("kmod 1.3.0");
    }

    private void wantLogin(WebServer of, String path, byte[] body) {
        of.on(
                path,
                request -> request.header("Authorization").equals(LOGIN) ? Response.of(body) : Response.status(401));
    }

    @Test
    void theLoginComesFromTheSecret() throws IOException {
        wantLogin(server, "/index.yaml", index("kmod", "1.2.0", "kmod-1.2.0.tgz", Digests.sha256(KMOD)));
        wantLogin(server, "/kmod-1.2.0.tgz", KMOD);
        ChartFetcher.Fetched fetched = charts.fetch(withSecret(kmod(""), "login"));
        assertThat(fetched.warnings())
                .containsExactly("spec.chart.repository.url: the login is sent without encryption; use https");
    }

    /** A private chart that one user may read is not given to another one out of a cache. */
    @Test
    void whoHasAnotherLoginIsAnotherUser() throws IOException {
        server.on("/index.yaml", index("kmod", "1.2.0", "kmod-1.2.0.tgz", Digests.sha256(KMOD)));
        wantLogin(server, "/kmod-1.2.0.tgz", KMOD);
        charts.fetch(withSecret(kmod(""), "login"));
        secrets.put("wrong", "password", "guess");
        assertThat(problem(() -> charts.fetch(withSecret(kmod(""), "wrong"))).code())
                .isEqualTo("ChartAccessDenied");
        assertThat(problem(() -> charts.fetch(kmod(""))).code()).isEqualTo("ChartAccessDenied");
    }

    @Test
    void aLoginInTheSpecialResourceWorksAndIsReported() throws IOException {
        wantLogin(server, "/index.yaml", index("kmod", "1.2.0", "kmod-1.2.0.tgz", ""));
        wantLogin(server, "/kmod-1.2.0.tgz", KMOD);
        ChartReference plain = kmod("");
        requireNonNull(plain.getRepository()).setUsername("user");
        requireNonNull(plain.getRepository()).setPassword("geheim");
        assertThat(charts.fetch(plain).warnings())
                .contains("spec.chart.repository.password is readable for everybody who may read the special resource;"
                        + " put it into a Secret and name it in credentialsSecret");
        ChartReference url = chart("kmod", "", server.url().replace("//", "//user:geheim@"));
        assertThat(charts.fetch(url).warnings()).anyMatch(text -> text.contains("the login in it is readable"));
    }

    @Test
    void theSecretGoesBeforeWhatIsInTheSpecialResource() throws IOException {
        wantLogin(server, "/index.yaml", index("kmod", "1.2.0", "kmod-1.2.0.tgz", ""));
        wantLogin(server, "/kmod-1.2.0.tgz", KMOD);
        ChartReference both = withSecret(kmod(""), "login");
        requireNonNull(both.getRepository()).setPassword("old");
        assertThat(charts.fetch(both).chart().label()).isEqualTo("kmod 1.2.0");
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void redirectsAreFollowedAndTheLoginIsNotGivenToAnotherServer(int status) throws IOException {
        serve("", "kmod-1.2.0.tgz", "");
        server.on("/kmod-1.2.0.tgz", request -> Response.status(status).with("Location", "/moved/kmod.tgz"));
        server.on(
                "/moved/kmod.tgz",
                request -> Response.status(status).with("Location", elsewhere.url() + "/kmod.tgz?signed=1"));
        elsewhere.on("/kmod.tgz?signed=1", KMOD);
        charts.fetch(withSecret(kmod(""), "login"));
        assertThat(server.requests)
                .hasSize(3)
                .allMatch(request -> request.header("Authorization").equals(LOGIN));
        assertThat(elsewhere.requests)
                .hasSize(1)
                .allMatch(request -> request.header("Authorization").isEmpty());
    }

    @Test
    void anArchiveOnAnotherServerDoesNotGetTheLogin() throws IOException {
        server.on("/index.yaml", index("kmod", "1.2.0", elsewhere.url() + "/kmod.tgz", Digests.sha256(KMOD)));
        elsewhere.on("/kmod.tgz", KMOD);
        charts.fetch(withSecret(kmod(""), "login"));
        assertThat(elsewhere.requests)
                .hasSize(1)
                .allMatch(request -> request.header("Authorization").isEmpty());
    }

    @Test
    void aCircleOfRedirectsEnds() {
        server.on("/index.yaml", request -> Response.status(302).with("Location", "/index.yaml"));
        assertThatThrownBy(() -> charts.fetch(kmod("")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("redirects");
        assertThat(server.requests).hasSize(11);
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:///etc/passwd", "ftp://localhost/x", "http://[", "mailto:x"})
    void aRedirectLeadsToAnotherWebAddressOnly(String location) {
        server.on("/index.yaml", request -> Response.status(302).with("Location", location));
        assertThatThrownBy(() -> charts.fetch(kmod("")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("redirected to");
    }

    @ParameterizedTest
    @CsvSource({
        "401, ChartAccessDenied, credentialsSecret",
        "403, ChartAccessDenied, credentialsSecret",
        "404, ChartNotFound, the folder that has index.yaml",
        "410, ChartNotFound, the folder that has index.yaml"
    })
    void whatTheServerRefusesIsAProblemWithAFix(int status, String code, String fix) {
        server.on("/index.yaml", request -> Response.status(status));
        assertThat(problem(() -> charts.fetch(kmod(""))))
                .returns(code, problem -> problem.code())
                .extracting(problem -> problem.message())
                .asString()
                .contains(server.url() + "/index.yaml", "HTTP " + status, fix);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 429, 500, 503})
    void otherAnswersAreTriedAgainLater(int status) {
        server.on("/index.yaml", request -> Response.status(status));
        assertThatThrownBy(() -> charts.fetch(kmod("")))
                .isInstanceOf(IOException.class)
                .hasMessage("GET " + server.url() + "/index.yaml: HTTP " + status);
    }

    @Test
    void noMessageHasALoginOrASignatureInIt() {
        server.on("/index.yaml?signature=geheim", request -> Response.status(500));
        assertThatThrownBy(() -> charts.fetch(
                        chart("kmod", "", server.url().replace("//", "//user:geheim@") + "?signature=geheim")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("HTTP 500")
                .hasMessageNotContaining("geheim");
        assertThat(problem(() -> charts.fetch(chart("kmod", "", "http://user:geheim@ho st/x")))
                        .message())
                .doesNotContain("geheim");
        assertThat(new RepositoryCredentials("user", "geheim", new TlsSettings("", "", "geheim", false)).toString())
                .doesNotContain("geheim");
    }

    @Test
    void anotherArchiveThanTheIndexAnnouncesIsRefused() {
        serve("", "kmod-1.2.0.tgz", "00ff");
        assertThat(problem(() -> charts.fetch(kmod("")))).returns("ChartDigestMismatch", problem -> problem.code());
    }

    @Test
    void anotherChartThanWasAskedForIsRefused() {
        serve("", "kmod-1.2.0.tgz", "");
        server.on("/kmod-1.2.0.tgz", ChartArchives.chart("other", "1.2.0"));
        assertThat(problem(() -> charts.fetch(kmod("")))).returns("ChartNotFound", problem -> problem.code());
        server.on("/kmod-1.2.0.tgz", ChartArchives.chart("kmod", "7.0.0"));
        assertThat(problem(() -> charts.fetch(kmod("")))).returns("ChartNotFound", problem -> problem.code());
    }

    @Test
    void garbageIsRefused() {
        server.on("/index.yaml", request -> Response.of("<html>Sign in</html>"));
        assertThat(problem(() -> charts.fetch(kmod("")))).returns("InvalidRepositoryIndex", problem -> problem.code());
        serve("", "kmod-1.2.0.tgz", "");
        server.on("/kmod-1.2.0.tgz", request -> Response.of("<html>Sign in</html>"));
        assertThat(problem(() -> charts.fetch(kmod("")))).returns("InvalidChart", problem -> problem.code());
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:///etc/passwd", "a b", "s3://bucket/kmod.tgz"})
    void anArchiveSomewhereElseIsRefused(String url) {
        serve("", url, "");
        assertThat(problem(() -> charts.fetch(kmod(""))))
                .returns("InvalidRepositoryIndex", problem -> problem.code())
                .extracting(problem -> problem.message())
                .asString()
                .contains(url);
    }

    @Test
    void whatIsTooLargeIsNotReadToItsEnd() {
        ChartLimits few = new ChartLimits(1000, 10_000, 10_000, 10, 1);
        serve("", "kmod-1.2.0.tgz", "");
        server.on("/kmod-1.2.0.tgz", new byte[1001]);
        assertThat(problem(() ->
                        charts(new ChartLoader(few), Duration.ofSeconds(20)).fetch(kmod(""))))
                .returns("UnsafeChart", problem -> problem.code())
                .extracting(problem -> problem.message())
                .asString()
                .contains("kmod-1.2.0.tgz: more than the 1000 bytes");
    }

    @Test
    void aServerThatDoesNotAnswerIsGivenUp() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        server.on("/index.yaml", request -> {
            try {
                over.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Response.status(200);
        });
        assertThatThrownBy(
                        () -> charts(new ChartLoader(), Duration.ofSeconds(1)).fetch(kmod("")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("within 1 s");
        over.countDown();
    }

    @Test
    void whereNobodyListensIsSaid() {
        String url = elsewhere.url();
        elsewhere.close();
        assertThatThrownBy(() -> charts.fetch(chart("kmod", "", url)))
                .isInstanceOf(IOException.class)
                .hasMessage("GET " + url + "/index.yaml: no connection; check host, port, DNS and proxy");
    }

    @Test
    void aSecretThatDoesNotHelpIsNamed() {
        secrets.put("other", "token", "x");
        assertThat(problem(() -> charts.fetch(withSecret(kmod(""), "none"))))
                .returns("InvalidChartCredentials", problem -> problem.code())
                .extracting(problem -> problem.message())
                .asString()
                .contains("no Secret none in namespace ns");
        assertThat(problem(() -> charts.fetch(withSecret(kmod(""), "other"))).message())
                .contains("username, password, ca.crt, tls.crt, tls.key; it has token");
        ChartReference file = kmod("");
        requireNonNull(file.getRepository()).setCaFile("does/not/exist.crt");
        assertThat(problem(() -> charts.fetch(file)).message()).contains("caFile: does/not/exist.crt cannot be read");
    }
}
