package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sro.api.resource.PreflightEvidence;
import dev.sro.api.resource.PreflightValidation;
import dev.sro.api.resource.SpecialResourcePreflight;
import dev.sro.core.image.Images;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.recipe.source.HttpClients;
import dev.sro.core.recipe.source.Registries;
import dev.sro.testkit.operator.SroSandbox;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of the driver before nodes get another kernel: which tag is needed, whether it is there, or from what it is made. */
class NvidiaPreflightTest {

    private static final String NEXT = "5.15.0-200-generic";

    private static final byte[] MANIFEST = """
        {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
         "config": {"mediaType": "application/vnd.oci.image.config.v1+json",
          "digest": "sha256:%1$s", "size": 2},
         "layers": [{"mediaType": "application/vnd.oci.image.layer.v1.tar+gzip", "digest": "sha256:%1$s", "size": 2}]}
        """.formatted("0".repeat(64)).getBytes(StandardCharsets.UTF_8);

    private final Set<String> tags = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final SroSandbox sandbox = SroSandbox.create(new NvidiaPlugin());
    private HttpServer registry;

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws IOException {
        registry = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        registry.createContext("/", this::answer);
        registry.setExecutor(threads);
        registry.start();
        sandbox.kill();
        sandbox.preflights(
                new Images(new Registries(new HttpClients(OutgoingGate.open()), Duration.ofSeconds(10))),
                folder.resolve("registries.conf"));
        sandbox.nodes().create("one", Gpus.NODE);
        sandbox.run(Duration.ofMinutes(2));
        sandbox.start();
    }

    @AfterEach
    void stop() {
        sandbox.close();
        registry.stop(0);
        threads.shutdownNow();
    }

    private String host() {
        return "localhost:" + registry.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            boolean there = tags.contains(path.substring(path.lastIndexOf('/') + 1));
            exchange.getResponseHeaders().add("Content-Type", "application/vnd.oci.image.manifest.v1+json");
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(there ? 200 : 404, there && !head ? MANIFEST.length : -1);
            if (there && !head) {
                exchange.getResponseBody().write(MANIFEST);
            }
        }
    }

    private SpecialResourcePreflight verdict(String driver) {
        sandbox.apply(Gpus.resource("{driver: {repository: \"" + host() + "/nvidia\", version: '580'" + driver + "}}"));
        sandbox.client()
                .resource(sandbox.client()
                        .getKubernetesSerialization()
                        .unmarshal("""
                            apiVersion: sro.openshift.io/v1beta1
                            kind: PreflightValidation
                            metadata: {name: next}
                            spec: {kernelVersion: %s}
                            """.formatted(NEXT), PreflightValidation.class))
                .serverSideApply();
        sandbox.run(Duration.ofMinutes(2));
        PreflightValidation found = sandbox.client()
                .resources(PreflightValidation.class)
                .withName("next")
                .get();
        return Objects.requireNonNull(found.getStatus()).getSrStatuses().get(0);
    }

    /** Tags that the registry has; N is the kernel to come. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        modules for the kernel   | 580-N-ubuntu22.04 580-ubuntu22.04 | | TRUE | | /nvidia/driver:580-N-ubuntu22.04 is there
        compiled on the node     | 580-ubuntu22.04 | | TRUE | | /nvidia/driver:580-ubuntu22.04 is there, and compiles the driver for N
        not compiled on the node | 580-ubuntu22.04 | , usePrecompiled: true | FALSE | WaitingForImage | /nvidia/driver:580-N-ubuntu22.04
        nothing at all           | none | | FALSE | | /nvidia/driver:580-ubuntu22.04
        built by SRO             | 580-ubuntu22.04 | , build: {pushTo: HOST/own} | TRUE | CouldBeBuilt | /own:580-N-ubuntu22.04 does not exist yet and could be built
        """)
    void theVerdictNamesTheImage(String what, String there, String driver, String status, String reason, String words) {
        for (String tag : there.split(" ", -1)) {
            tags.add(tag.replace("N", NEXT));
        }

        SpecialResourcePreflight verdict = verdict(driver == null ? "" : driver.replace("HOST", host()));

        assertThat(verdict.getVerificationStatus())
                .as(verdict.getStatusReason())
                .hasToString(status);
        assertThat(verdict.getStatusReason()).contains(host() + words.replace("N", NEXT));
        if (reason != null) {
            assertThat(verdict.getReason()).isEqualTo(reason);
        }
    }

    @Test
    void whatIsBuiltIsBuiltOnThePublishedImageOfTheSystem() {
        tags.add("580-ubuntu22.04");

        SpecialResourcePreflight verdict = verdict(", build: {pushTo: \"" + host() + "/own\"}");

        assertThat(verdict.getStatusReason())
                .contains("builds " + host() + "/own:580-" + NEXT + "-ubuntu22.04 with its Dockerfile, on " + host()
                        + "/nvidia/driver@sha256:");
        Set<String> looked = new TreeSet<>();
        verdict.getEvidence().stream().map(PreflightEvidence::getImage).forEach(looked::add);
        assertThat(looked)
                .as("what was looked for before that")
                .contains(host() + "/nvidia/driver:580-" + NEXT + "-ubuntu22.04");
    }
}
