package dev.sro.core.recipe.source;

import static dev.sro.core.recipe.source.References.chart;
import static dev.sro.core.recipe.source.References.index;
import static dev.sro.core.recipe.source.References.problem;
import static dev.sro.core.recipe.source.References.withSecret;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.resource.ChartReference;
import dev.sro.api.resource.ChartRepository;
import dev.sro.core.outgoing.NameResolver;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.outgoing.OutgoingRules;
import dev.sro.core.outgoing.ProxyRules;
import dev.sro.core.recipe.chart.ChartArchives;
import dev.sro.core.recipe.chart.ChartLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Repositories behind TLS: who is believed, and what is shown. */
class TlsTest {

    @TempDir
    static Path folder;

    private static Certificates localhost;
    private static Certificates another;
    private static Certificates client;

    private final Secrets secrets = new Secrets();
    private final HttpClients clients = new HttpClients(OutgoingGate.open());
    private final HttpCharts charts = new HttpCharts(clients, secrets, new ChartLoader());
    private WebServer server;

    @BeforeAll
    static void makeCertificates() throws IOException, GeneralSecurityException {
        localhost = Certificates.make(folder, "localhost");
        another = Certificates.make(folder, "another.example.com");
        client = Certificates.make(folder, "client.example.com");
    }

    @BeforeEach
    void start() throws IOException, GeneralSecurityException {
        server = serve(localhost, false);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static WebServer serve(Certificates with, boolean clientCertificate)
            throws IOException, GeneralSecurityException {
        return WebServer.start(with.server(client), clientCertificate)
                .on("/index.yaml", index("kmod", "1.2.0", "kmod.tgz", ""))
                .on("/kmod.tgz", ChartArchives.chart("kmod", "1.2.0"));
    }

    private ChartReference kmod() {
        return chart("kmod", "1.2.0", server.url());
    }

    private static Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void aServerThatNobodyVouchesForIsNotBelieved() {
        assertThatThrownBy(() -> charts.fetch(kmod()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("GET " + server.url() + "/index.yaml: no safe connection: ")
                .hasMessageContaining("credentialsSecret (ca.crt) or caFile");
        assertThat(server.requests).isEmpty();
    }

    @Test
    void theCaComesFromTheSecretOrFromAFile() throws IOException, GeneralSecurityException {
        secrets.put("ca", "ca.crt", "some words\n" + another.certificate() + localhost.certificate());
        ChartFetcher.Fetched fetched = charts.fetch(withSecret(kmod(), "ca"));
        assertThat(fetched.chart().label()).isEqualTo("kmod 1.2.0");
        assertThat(fetched.warnings()).isEmpty();
        ChartReference file = kmod();
        repository(file).setCaFile(write("ca.crt", localhost.certificate()).toString());
        assertThat(charts.fetch(file).chart().label()).isEqualTo("kmod 1.2.0");
    }

    private static ChartRepository repository(ChartReference reference) {
        return requireNonNull(reference.getRepository());
    }

    @Test
    void theCertificateMustBeOfTheServersName() throws IOException, GeneralSecurityException {
        server.close();
        server = serve(another, false);
        secrets.put("ca", "ca.crt", another.certificate());
        assertThatThrownBy(() -> charts.fetch(withSecret(kmod(), "ca")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no safe connection");
    }

    @Test
    void uncheckedMeansUncheckedAndIsReported() throws IOException, GeneralSecurityException {
        server.close();
        server = serve(another, false);
        ChartReference unchecked = kmod();
        repository(unchecked).setInsecureSkipTlsVerify(true);
        assertThat(charts.fetch(unchecked).warnings())
                .singleElement()
                .asString()
                .startsWith("spec.chart.repository.insecure_skip_tls_verify: ");
    }

    @Test
    void theClientCertificateComesFromTheSecretOrFromFiles() throws IOException, GeneralSecurityException {
        server.close();
        server = serve(localhost, true);
        secrets.put("ca", "ca.crt", localhost.certificate());
        assertThatThrownBy(() -> charts.fetch(withSecret(kmod(), "ca"))).isInstanceOf(IOException.class);
        secrets.put("both", "ca.crt", localhost.certificate())
                .put("both", "tls.crt", client.certificate())
                .put("both", "tls.key", client.key());
        assertThat(charts.fetch(withSecret(kmod(), "both")).chart().label()).isEqualTo("kmod 1.2.0");
        ChartReference files = kmod();
        repository(files).setCaFile(write("ca.crt", localhost.certificate()).toString());
        repository(files).setCertFile(write("tls.crt", client.certificate()).toString());
        repository(files).setKeyFile(write("tls.key", client.key()).toString());
        assertThat(charts.fetch(files).chart().label()).isEqualTo("kmod 1.2.0");
    }

    @Test
    void throughAProxyTheServersOwnCertificateCounts() throws IOException, GeneralSecurityException {
        secrets.put("ca", "ca.crt", localhost.certificate());
        try (TunnelProxy proxy = new TunnelProxy(Integer.parseInt(server.host().replaceFirst(".*:", "")))) {
            ProxyRules rules = ProxyRules.of("", "http://user:pass@127.0.0.1:" + proxy.port(), "");
            HttpClients through =
                    new HttpClients(new OutgoingGate(OutgoingRules.EVERYWHERE, () -> rules, NameResolver.SYSTEM));
            HttpCharts proxied = new HttpCharts(through, secrets, new ChartLoader());
            ChartReference elsewhere = withSecret(kmod(), "ca");
            repository(elsewhere).setUrl("https://charts.invalid");
            assertThatThrownBy(() -> proxied.fetch(elsewhere))
                    .as("the certificate is that of localhost")
                    .hasMessageContaining("no safe connection");
            assertThat(proxy.heads)
                    .singleElement()
                    .asString()
                    .startsWith("CONNECT charts.invalid:443 HTTP/1.1")
                    .contains("Proxy-Authorization: Basic dXNlcjpwYXNz");
        }
    }

    /** Even if the same server asks for it by a redirect. */
    @Test
    void nobodyIsLedFromHttpsToHttp() throws IOException, GeneralSecurityException {
        secrets.put("ca", "ca.crt", localhost.certificate());
        server.on("/index.yaml", request -> WebServer.Response.status(302).with("Location", "http://" + server.host()));
        assertThatThrownBy(() -> charts.fetch(withSecret(kmod(), "ca")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("which SRO does not follow from https");
    }

    @Test
    void whatCannotBeUsedIsNamed() throws GeneralSecurityException {
        secrets.put("ca", "ca.crt", "nothing")
                .put("alone", "tls.crt", client.certificate())
                .put("key", "tls.crt", client.certificate())
                .put(
                        "key",
                        "tls.key",
                        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----");
        for (String name : List.of("ca", "alone", "key")) {
            assertThat(problem(() -> charts.fetch(withSecret(kmod(), name))))
                    .as(name)
                    .returns("InvalidChartCredentials", problem -> problem.code());
        }
        assertThat(problem(() -> charts.fetch(withSecret(kmod(), "ca"))).message())
                .contains("CA certificate");
        assertThat(problem(() -> charts.fetch(withSecret(kmod(), "alone"))).message())
                .contains("go together");
        assertThat(problem(() -> charts.fetch(withSecret(kmod(), "key"))).message())
                .contains("is encrypted");
    }

    @Test
    void oneClientServesAllRepositoriesOfTheSameCertificates() throws GeneralSecurityException {
        TlsSettings one = new TlsSettings(localhost.certificate(), "", "", false);
        TlsSettings same = new TlsSettings(localhost.certificate(), "", "", false);
        assertThat(clients.of(one)).isSameAs(clients.of(same)).isNotSameAs(clients.of(TlsSettings.DEFAULT));
    }
}
