package dev.sro.core.recipe.source;

import dev.sro.core.outgoing.OutgoingAnswer;
import dev.sro.core.yaml.LenientYaml;
import dev.sro.core.yaml.YamlException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One repository of a registry, by the OCI distribution API 1.1. Gets a token when the registry asks for one. For one fetch; not
 * thread-safe.
 */
final class OciRegistry {

    private static final int MAX_JSON = 4 << 20;
    private static final int MAX_PAGES = 100;
    private static final Pattern NEXT = Pattern.compile("<([^>]*+)>\\s*+;[^,]*rel=\"?next\"?");
    /**
     * What a person is to do.
     *
     * @param notFound if there is no such thing
     * @param denied if the registry wants another login
     */
    record Hints(String notFound, String denied) {}

    private static final Hints CHARTS = new Hints(
            "spec.chart.repository.url is the folder of the chart: oci://REGISTRY/FOLDER, for"
                    + " REGISTRY/FOLDER/NAME:VERSION",
            "The repository wants another login: check username and password in the Secret that"
                    + " spec.chart.repository.credentialsSecret names");

    private final HttpFiles http;
    private final RepositoryCredentials access;
    private final URI root;
    private final String repository;
    private final Hints hints;
    private String authorization = "";

    /**
     * @param host with its port, if there is one
     * @param repository its path, without slashes at the ends
     */
    OciRegistry(HttpFiles http, RepositoryCredentials access, String host, String repository) {
        this(http, access, scheme(host), host, repository, CHARTS);
    }

    /** @param scheme http or https */
    OciRegistry(
            HttpFiles http, RepositoryCredentials access, String scheme, String host, String repository, Hints hints) {
        this.http = http;
        this.access = access;
        this.repository = repository;
        this.hints = hints;
        this.root = URI.create(scheme + "://" + (host.equals("docker.io") ? "registry-1.docker.io" : host) + "/v2/"
                + repository + "/");
    }

    /** As container runtimes do, on this machine it is spoken to without TLS. */
    static String scheme(String host) {
        String name = host.replaceFirst(":\\d+$", "");
        return Set.of("localhost", "127.0.0.1", "[::1]").contains(name) ? "http" : "https";
    }

    /** All tags. */
    List<String> tags() throws IOException {
        List<String> tags = new ArrayList<>();
        URI page = root.resolve("tags/list?n=1000");
        for (int pages = 0; pages < MAX_PAGES; pages++) {
            HttpFiles.Answer answer = get(page, Map.of("Accept", "application/json"), MAX_JSON);
            if (json(answer).get("tags") instanceof List<?> some) {
                some.forEach(tag -> tags.add(String.valueOf(tag)));
            }
            String link = answer.header("Link");
            Matcher next = NEXT.matcher(link);
            if (link.length() > OciChallenge.MAX_LENGTH || !next.find()) {
                return tags;
            }
            URI following = page.resolve(next.group(1));
            if (!HttpFiles.sameServer(page, following)) {
                throw new IOException("GET " + answer.from() + ": the next page is on another server");
            }
            page = following;
        }
        return tags;
    }

    /** What the tag names. */
    Map<String, Object> manifest(String tag) throws IOException {
        URI uri = root.resolve("manifests/" + tag);
        return json(get(
                uri,
                Map.of(
                        "Accept",
                        "application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json;q=0.5"),
                MAX_JSON));
    }

    /**
     * What a tag or digest names, as it is.
     *
     * @param types media types that will do
     */
    byte[] manifest(String reference, List<String> types) throws IOException {
        Map<String, String> accept = Map.of("Accept", String.join(", ", types));
        return get(root.resolve("manifests/" + reference), accept, MAX_JSON).body();
    }

    /** A file of any length by its digest, which is not checked; the caller closes it. */
    InputStream stream(String digest) throws IOException {
        URI uri = root.resolve("blobs/" + digest);
        OutgoingAnswer answer = http.stream(uri, access.tls(), authorization);
        if (answer.status() == HttpFiles.UNAUTHORIZED) {
            answer.close();
            if (login(answer.headers("WWW-Authenticate"))) {
                answer = http.stream(uri, access.tls(), authorization);
            }
        }
        if (answer.status() != HttpFiles.OK) {
            answer.close();
            throw new IOException("GET " + HttpFiles.shown(uri) + ": HTTP " + answer.status());
        }
        return answer.stream();
    }

    /** A file by its digest, which is not checked. */
    byte[] blob(String digest, int bytes) throws IOException {
        return get(root.resolve("blobs/" + digest), Map.of(), bytes).body();
    }

    /**
     * Asks for a manifest to be deleted.
     *
     * @param reference a tag or a digest
     * @return the status of the answer
     */
    int delete(String reference) throws IOException {
        URI uri = root.resolve("manifests/" + reference);
        HttpFiles.Answer answer = http.delete(uri, access.tls(), authorization, MAX_JSON);
        if (answer.status() == HttpFiles.UNAUTHORIZED && login(answer.headers("WWW-Authenticate"))) {
            answer = http.delete(uri, access.tls(), authorization, MAX_JSON);
        }
        return answer.status();
    }

    private HttpFiles.Answer get(URI uri, Map<String, String> headers, int bytes) throws IOException {
        HttpFiles.Answer answer = http.get(uri, access.tls(), authorization, headers, bytes);
        if (answer.status() == HttpFiles.UNAUTHORIZED) {
            if (login(answer.headers("WWW-Authenticate"))) {
                answer = http.get(uri, access.tls(), authorization, headers, bytes);
            }
        }
        return answer.orFail(hints.notFound(), hints.denied());
    }

    /** Does as the registry asks; false if it is of no use to ask it again. */
    private boolean login(List<String> challenges) throws IOException {
        Optional<OciChallenge> challenge = OciChallenge.of(challenges);
        String before = authorization;
        authorization = challenge.isEmpty() ? "" : login(challenge.get());
        return !authorization.isEmpty() && !authorization.equals(before);
    }

    private String login(OciChallenge challenge) throws IOException {
        if (challenge.scheme().equals("basic")) {
            return access.basic();
        }
        URI uri = challenge
                .tokenAddress(repository)
                .orElseThrow(() -> new IOException(
                        "GET " + HttpFiles.shown(root) + ": asks for a token, and does not say" + " from where"));
        if ("https".equals(root.getScheme()) && !"https".equalsIgnoreCase(uri.getScheme())) {
            throw new IOException("GET " + HttpFiles.shown(root) + ": asks for a token from " + HttpFiles.shown(uri)
                    + ", to which SRO does not send a login without encryption");
        }
        Map<String, Object> answer =
                json(http.get(uri, access.tls(), access.basic(), Map.of("Accept", "application/json"), MAX_JSON)
                        .orFail("The registry names no address that gives tokens", hints.denied()));
        String token =
                text(answer.get("token")).isEmpty() ? text(answer.get("access_token")) : text(answer.get("token"));
        return token.isEmpty() ? "" : "Bearer " + token;
    }

    /** JSON is YAML, too. */
    private static Map<String, Object> json(HttpFiles.Answer answer) throws IOException {
        try {
            return LenientYaml.map(answer.from(), new String(answer.body(), StandardCharsets.UTF_8));
        } catch (YamlException e) {
            throw new IOException("GET " + answer.from() + ": the answer is no JSON object", e);
        }
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }
}
