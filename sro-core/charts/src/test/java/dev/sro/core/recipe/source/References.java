package dev.sro.core.recipe.source;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sro.api.Problem;
import dev.sro.api.resource.ChartReference;
import dev.sro.api.resource.ChartRepository;
import dev.sro.api.resource.CredentialsSecret;
import dev.sro.core.recipe.chart.ChartException;
import java.nio.charset.StandardCharsets;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What a special resource says of its chart, and what an index says, for these tests. */
final class References {

    private References() {}

    static ChartReference chart(String name, String version, String url) {
        ChartRepository repository = new ChartRepository();
        repository.setName("test");
        repository.setUrl(url);
        ChartReference reference = new ChartReference();
        reference.setName(name);
        reference.setVersion(version);
        reference.setRepository(repository);
        return reference;
    }

    static ChartReference withSecret(ChartReference reference, String name) {
        CredentialsSecret secret = new CredentialsSecret();
        secret.setNamespace("ns");
        secret.setName(name);
        requireNonNull(reference.getRepository()).setCredentialsSecret(secret);
        return reference;
    }

    /** With one version of one chart. */
    static byte[] index(String name, String version, String url, String digest) {
        return """
                apiVersion: v1
                entries:
                  %s:
                  - {name: %s, version: %s, digest: "%s", urls: ["%s"]}
                """.formatted(name, name, version, digest, url).getBytes(StandardCharsets.UTF_8);
    }

    static Problem problem(ThrowingCallable call) {
        return catchThrowableOfType(ChartException.class, call).problem();
    }
}
