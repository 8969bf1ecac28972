package dev.sro.core.recipe.source;

import static dev.sro.core.recipe.source.References.chart;
import static dev.sro.core.recipe.source.References.index;
import static dev.sro.core.recipe.source.References.problem;
import static dev.sro.core.recipe.source.References.withSecret;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.model.Digests;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.recipe.chart.ChartArchives;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.source.WebServer.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OciChartsTest {

    private static final String REPOSITORY = "/v2/team/charts/kmod";
    private static final String HELM = "application/vnd.cncf.helm.config.v1+json";
    private static final String CONTENT = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";

    /** user:geheim */
    private static final String LOGIN = "Basic dXNlcjpnZWhlaW0=";

    private final Secrets secrets =
            new Secrets().put("login", "username", "user").put("login", "password", "geheim");
    private final HttpClients clients = new HttpClients(OutgoingGate.open());
    private final OciCharts charts = new OciCharts(clients, secrets, new ChartLoader());
    private WebServer registry;

    @BeforeEach
    void start() throws IOException {
        registry = WebServer.start();
        push("1.2.0", "1.2.0");
        push("1.10.0", "1.10.0");
        push("2.0.0-rc.1_b7", "2.0.0-rc.1+b7");
        tags("1.2.0", "1.10.0", "2.0.0-rc.1_b7", "latest");
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private void push(String tag, String version) {
        byte[] archive = ChartArchives.chart("kmod", version);
        String digest = "sha256:" + Digests.sha256(archive);
        manifest(tag, HELM, CONTENT, digest);
        registry.on(REPOSITORY + "/blobs/" + digest, archive);
    }

    private void manifest(String tag, String config, String layer, String digest) {
        registry.on(REPOSITORY + "/manifests/" + tag, request -> Response.of("""
                {"schemaVersion": 2, "config": {"mediaType": "%s", "digest": "sha256:00", "size": 2},
                 "layers": [{"mediaType": "application/vnd.cncf.helm.chart.provenance.v1.prov", "digest": "sha256:01"},
                            {"mediaType": "%s", "digest": "%s"}]}
                """.formatted(config, layer, digest)));
    }

    private void tags(String... tags) {
        registry.on(REPOSITORY + "/tags/list?n=1000", request -> Response.of(json(List.of(tags))));
    }

    private static String json(List<String> tags) {
        return "{\"name\": \"team/charts/kmod\", \"tags\": [\"" + String.join("\", \"", tags) + "\"]}";
    }

    private String url() {
        return "oci://" + registry.host() + "/team/charts";
    }

    private String fetch(String version) throws IOException {
        return charts.fetch(chart("kmod", version, url())).chart().label();
    }

    @ParameterizedTest
    @CsvSource({
        "1.2.0, 1.2.0, 2",
        "2.0.0-rc.1+b7, 2.0.0-rc.1+b7, 2",
        "'', 1.10.0, 3",
        "^1, 1.10.0, 3",
        "<1.5, 1.2.0, 3",
        "'>=2.0.0-0', 2.0.0-rc.1+b7, 3",
        "v1.2.0, 1.2.0, 4"
    })
    void getsTheChartOfTheTagThatIsMeant(String version, String expected, int requests) throws IOException {
        assertThat(fetch(version)).isEqualTo("kmod " + expected);
        assertThat(registry.requests).hasSize(requests);
    }

    @Test
    void anArchiveThatIsKnownIsNotFetchedAgain() throws IOException {
        fetch("1.2.0");
        registry.requests.clear();
        fetch("1.2.0");
        assertThat(registry.paths()).containsExactly(REPOSITORY + "/manifests/1.2.0");
    }

    @Test
    void aTagThatWasMovedIsFollowed() throws IOException {
        fetch("1.2.0");
        byte[] other = ChartArchives.chart("kmod", "1.2.0+other");
        String digest = "sha256:" + Digests.sha256(other);
        manifest("1.2.0", HELM, CONTENT, digest);
        registry.on(REPOSITORY + "/blobs/" + digest, other);
        assertThat(fetch("1.2.0")).isEqualTo("kmod 1.2.0+other");
    }

    @Test
    void allPagesOfTagsAreRead() throws IOException {
        registry.on(
                REPOSITORY + "/tags/list?n=1000",
                request -> Response.of(json(List.of("1.2.0")))
                        .with("Link", "<" + REPOSITORY + "/tags/list?n=1000&last=1.2.0>; rel=\"next\""));
        registry.on(REPOSITORY + "/tags/list?n=1000&last=1.2.0", request -> Response.of(json(List.of("1.10.0"))));
        assertThat(fetch("^1")).isEqualTo("kmod 1.10.0");
    }

    @Test
    void pagesOnAnotherServerAreNot() {
        registry.on(
                REPOSITORY + "/tags/list?n=1000",
                request -> Response.of(json(List.of("1.2.0"))).with("Link", "<http://example.com/tags>; rel=\"next\""));
        assertThatThrownBy(() -> fetch("^1")).isInstanceOf(IOException.class).hasMessageContaining("another server");
    }

    /** Every path below /v2 wants it. */
    private void behind(String challenge, String authorization) {
        registry.gate(request -> !request.path().startsWith("/v2/")
                        || request.header("Authorization").equals(authorization)
                ? null
                : Response.status(401).with("WWW-Authenticate", challenge.replace("HOST", registry.host())));
    }

    private String fetchWithLogin() throws IOException {
        return charts.fetch(withSecret(chart("kmod", "^1", url()), "login"))
                .chart()
                .label();
    }

    @Test
    void aTokenIsFetchedWhereTheRegistryWantsOne() throws IOException {
        behind("Bearer realm=\"http://HOST/token\",service=\"reg, istry\",scope=\"repository:a:pull\"", "Bearer t1");
        registry.on(
                "/token?scope=repository%3Aa%3Apull&service=reg%2C+istry",
                request -> Response.of(
                        request.header("Authorization").equals(LOGIN) ? "{\"token\": \"t1\"}" : "{\"token\": \"no\"}"));
        assertThat(fetchWithLogin()).isEqualTo("kmod 1.10.0");
        assertThat(registry.paths())
                .filteredOn(path -> path.startsWith("/token"))
                .hasSize(1);
        assertThat(problem(() -> fetch("^1"))).returns("ChartAccessDenied", problem -> problem.code());
    }

    @Test
    void anyoneMayHaveATokenOfAPublicRegistry() throws IOException {
        behind("Bearer realm=\"http://HOST/token\"", "Bearer t2");
        registry.on(
                "/token?scope=repository%3Ateam%2Fcharts%2Fkmod%3Apull",
                request ->
                        Response.of(request.header("Authorization").isEmpty() ? "{\"access_token\": \"t2\"}" : "{}"));
        assertThat(fetch("^1")).isEqualTo("kmod 1.10.0");
    }

    @Test
    void aRegistryMayWantTheLoginItself() throws IOException {
        behind("Basic realm=\"registry\"", LOGIN);
        assertThat(fetchWithLogin()).isEqualTo("kmod 1.10.0");
        assertThat(problem(() -> fetch("^1")))
                .returns("ChartAccessDenied", problem -> problem.code())
                .extracting(problem -> problem.message())
                .asString()
                .contains("HTTP 401", "credentialsSecret");
    }

    @Test
    void aTokenOfChoiceGoesBeforeTheLogin() {
        assertThat(OciChallenge.of(List.of("Basic realm=\"a\"", "Bearer realm=\"https://b/t\",error=\"x\"")))
                .hasValueSatisfying(challenge -> assertThat(challenge.tokenAddress("r"))
                        .hasToString("Optional[https://b/t?scope=repository%3Ar%3Apull]"));
        assertThat(OciChallenge.of(List.of("Negotiate"))).isEmpty();
        assertThat(OciChallenge.of(List.of("Bearer realm=\"not a url\"")).flatMap(c -> c.tokenAddress("r")))
                .isEmpty();
    }

    @Test
    void whereATokenCannotBeHadIsSaid() {
        behind("Bearer service=\"x\"", "Bearer t");
        assertThatThrownBy(() -> fetch("^1")).isInstanceOf(IOException.class).hasMessageContaining("asks for a token");
        behind("Bearer realm=\"http://HOST/token\"", "Bearer t");
        assertThat(problem(() -> fetch("^1")).message()).contains("/token", "HTTP 404");
    }

    @Test
    void aBlobThatIsSomethingElseIsRefused() {
        String digest = "sha256:" + Digests.sha256(ChartArchives.chart("kmod", "1.2.0"));
        registry.on(REPOSITORY + "/blobs/" + digest, ChartArchives.chart("kmod", "1.2.0+evil"));
        assertThat(problem(() -> fetch("1.2.0"))).returns("ChartDigestMismatch", problem -> problem.code());
    }

    @Test
    void aBlobThatIsElsewhereIsFetchedWithoutTheLogin() throws IOException {
        byte[] archive = ChartArchives.chart("kmod", "1.2.0");
        String blob = REPOSITORY + "/blobs/sha256:" + Digests.sha256(archive);
        behind("Basic realm=\"registry\"", LOGIN);
        try (WebServer store = WebServer.start()) {
            registry.on(blob, request -> Response.status(307).with("Location", store.url() + "/blob"));
            store.on("/blob", archive);
            charts.fetch(withSecret(chart("kmod", "1.2.0", url()), "login"));
            assertThat(store.requests)
                    .hasSize(1)
                    .allMatch(request -> request.header("Authorization").isEmpty());
        }
    }

    @Test
    void whatIsNoChartIsRefused() {
        manifest("1.2.0", "application/vnd.oci.image.config.v1+json", CONTENT, "sha256:" + "0".repeat(64));
        assertThat(problem(() -> fetch("1.2.0")))
                .returns("InvalidChart", problem -> problem.code())
                .extracting(problem -> problem.message())
                .asString()
                .contains(url() + "/kmod:1.2.0", "application/vnd.oci.image.config.v1+json", "helm push");
        manifest("1.2.0", HELM, "application/octet-stream", "sha256:" + "0".repeat(64));
        assertThat(problem(() -> fetch("1.2.0"))).returns("InvalidChart", problem -> problem.code());
        manifest("1.2.0", HELM, CONTENT, "md5:00");
        assertThat(problem(() -> fetch("1.2.0"))).returns("InvalidChart", problem -> problem.code());
    }

    @Test
    void whatIsNoJsonIsTriedAgainLater() {
        registry.on(REPOSITORY + "/manifests/1.2.0", request -> Response.of("<html>"));
        assertThatThrownBy(() -> fetch("1.2.0")).isInstanceOf(IOException.class).hasMessageContaining("no JSON object");
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThat(problem(() -> fetch("^7")).message()).contains("\"^7\"", "2.0.0-rc.1+b7, 1.10.0, 1.2.0");
        assertThat(problem(() -> charts.fetch(chart("other", "1.2.0", url()))))
                .returns("ChartNotFound", problem -> problem.code())
                .extracting(problem -> problem.message())
                .asString()
                .contains("HTTP 404", "oci://REGISTRY/FOLDER");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "oci://",
                "oci://host/Upper",
                "oci://host/a//b",
                "oci://host/a:1.0",
                "oci://host?x=y",
                "oci://u:geheim@h/%"
            })
    void anAddressMustBeOne(String url) {
        assertThat(problem(() -> charts.fetch(chart("kmod", "1.2.0", url))))
                .returns("InvalidChartReference", problem -> problem.code())
                .extracting(problem -> problem.message())
                .asString()
                .doesNotContain("geheim");
    }

    @Test
    void anIndexMayLeadToARegistry() throws IOException {
        try (WebServer web = WebServer.start()) {
            web.on("/index.yaml", index("kmod", "1.2.0", url() + "/kmod:1.2.0", ""));
            HttpCharts http = new HttpCharts(clients, secrets, new ChartLoader(), Duration.ofSeconds(20));
            assertThat(http.fetch(chart("kmod", "1.2.0", web.url())).chart().label())
                    .isEqualTo("kmod 1.2.0");
            web.on("/index.yaml", index("kmod", "1.2.0", url() + "/kmod", ""));
            assertThat(problem(() -> http.fetch(chart("kmod", "1.2.0", web.url())))
                            .message())
                    .contains("has no tag");
        }
    }
}
