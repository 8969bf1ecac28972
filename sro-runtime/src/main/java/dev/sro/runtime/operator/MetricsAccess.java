package dev.sro.runtime.operator;

import io.fabric8.kubernetes.api.model.authentication.TokenReview;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewStatus;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may read metrics: whoever has a token that the API server knows (TokenReview), and may {@code get} the URL {@code /metrics}
 * (SubjectAccessReview). Answers are kept for a while, by the digest of the token. Thread-safe.
 */
final class MetricsAccess {

    /** What becomes of a request. */
    enum Verdict {
        ALLOWED,
        /** No token, or one that the API server does not know. */
        UNKNOWN,
        /** Known, and without the right. */
        FORBIDDEN,
        /** The API server does not say. */
        UNAVAILABLE
    }

    private static final Logger LOG = LoggerFactory.getLogger(MetricsAccess.class);
    private static final String BEARER = "bearer ";

    /** As Kubernetes' own components keep them: k8s.io/apiserver, DelegatingAuthorizationOptions has 10 s for both. */
    private static final Duration GOOD = Duration.ofSeconds(60);

    private static final Duration BAD = Duration.ofSeconds(10);
    private static final int KEPT = 256;

    /** A real token has some 1,200 characters. */
    private static final int LONGEST = 16_384;

    private record Review(Verdict verdict, long until) {}

    private final KubernetesClient client;
    private final LongSupplier nanos;

    /** Probes are answered by the same threads, and must not wait for an API server. */
    private final Semaphore asking = new Semaphore(2);

    private final Map<String, Review> known = new LinkedHashMap<>();

    /**
     * @param client asks for reviews; not closed
     * @param nanos counts nanoseconds
     */
    MetricsAccess(KubernetesClient client, LongSupplier nanos) {
        this.client = client;
        this.nanos = nanos;
    }

    /** @param authorization the header; empty for none */
    Verdict judge(String authorization) {
        if (!authorization.regionMatches(true, 0, BEARER, 0, BEARER.length()) || authorization.length() > LONGEST) {
            return Verdict.UNKNOWN;
        }
        String token = authorization.substring(BEARER.length()).strip();
        if (token.isEmpty()) {
            return Verdict.UNKNOWN;
        }
        String digest = digest(token);
        synchronized (known) {
            Review before = known.get(digest);
            if (before != null && before.until - nanos.getAsLong() > 0) {
                return before.verdict;
            }
        }
        if (!asking.tryAcquire()) {
            return Verdict.UNAVAILABLE;
        }
        try {
            return keep(digest, ask(token));
        } catch (KubernetesClientException e) {
            LOG.atWarn().log("who asks for metrics cannot be found out: {}", e.getMessage());
            return Verdict.UNAVAILABLE;
        } finally {
            asking.release();
        }
    }

    private Verdict keep(String digest, Verdict verdict) {
        Duration time = verdict == Verdict.ALLOWED ? GOOD : BAD;
        synchronized (known) {
            known.remove(digest);
            if (known.size() >= KEPT) {
                known.remove(known.keySet().iterator().next());
            }
            known.put(digest, new Review(verdict, nanos.getAsLong() + time.toNanos()));
        }
        return verdict;
    }

    private Verdict ask(String token) {
        TokenReview review = client.tokenReviews()
                .create(new TokenReviewBuilder()
                        .withNewSpec()
                        .withToken(token)
                        .endSpec()
                        .build());
        TokenReviewStatus status = review.getStatus();
        if (status == null || !Boolean.TRUE.equals(status.getAuthenticated()) || status.getUser() == null) {
            return Verdict.UNKNOWN;
        }
        UserInfo user = status.getUser();
        Map<String, List<String>> extra = new HashMap<>();
        if (user.getExtra() != null) {
            extra.putAll(user.getExtra());
        }
        SubjectAccessReview access = client.authorization()
                .v1()
                .subjectAccessReview()
                .create(new SubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withUser(user.getUsername())
                        .withUid(user.getUid())
                        .withGroups(user.getGroups())
                        .withExtra(extra)
                        .withNewNonResourceAttributes("/metrics", "get")
                        .endSpec()
                        .build());
        boolean allowed = access.getStatus() != null
                && Boolean.TRUE.equals(access.getStatus().getAllowed());
        return allowed ? Verdict.ALLOWED : Verdict.FORBIDDEN;
    }

    private static String digest(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
