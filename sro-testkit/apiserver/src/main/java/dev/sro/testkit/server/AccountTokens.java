package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of service accounts, with the claims that those of a kube-apiserver have ({@code pkg/serviceaccount/claims.go}), signed by a key
 * of this server alone. They end with their time, their account, and the object that they are bound to. Thread-safe.
 */
final class AccountTokens {
    static final String AUDIENCE = "https://kubernetes.default.svc";

    private static final String ALGORITHM = "HmacSHA256";
    private static final String HEADER = encode("{\"alg\":\"HS256\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.UTF_8));
    private static final String CLAIMS = "kubernetes.io";
    private static final String EXTRA = "authentication.kubernetes.io/";
    private static final int KEY_BYTES = 32;

    /** What a token is bound to beside its account, by the key of its claims. */
    record Bound(String claim, String name, String uid) {}

    /**
     * Whose a token is.
     *
     * @param extra what the API server tells of who shows it: the token, and the pod and the node that it is bound to
     */
    record Account(String namespace, String name, String uid, List<String> audiences, SortedMap<String, String> extra) {
        ApiRequest.Identity identity() {
            return new ApiRequest.Identity(
                    Subject.ACCOUNT + namespace + ":" + name,
                    List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"),
                    uid,
                    extra);
        }
    }

    private final Store store;
    private final Supplier<Instant> now;
    private final SecretKeySpec key;

    AccountTokens(Store store, Supplier<Instant> now) {
        this.store = store;
        this.now = now;
        byte[] random = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(random);
        this.key = new SecretKeySpec(random, ALGORITHM);
    }

    /**
     * A new token.
     *
     * @param id of the token
     * @param bound what it goes with
     */
    String issue(ObjectNode account, List<String> audiences, Instant expiry, String id, List<Bound> bound) {
        ObjectNode claims = Json.object();
        audiences.forEach(claims.putArray("aud")::add);
        claims.put("exp", expiry.getEpochSecond());
        claims.put("iat", now.get().getEpochSecond());
        claims.put("iss", AUDIENCE);
        claims.put("jti", id);
        ObjectNode own = claims.putObject(CLAIMS);
        own.put("namespace", Json.namespace(account));
        bound.forEach(one -> own.putObject(one.claim).put("name", one.name).put("uid", one.uid));
        own.putObject("serviceaccount").put("name", Json.name(account)).put("uid", Json.uid(account));
        claims.put("nbf", now.get().getEpochSecond());
        claims.put("sub", "system:serviceaccount:" + Json.namespace(account) + ":" + Json.name(account));
        String content = HEADER + "." + encode(Json.bytes(claims));
        return content + "." + encode(signature(content));
    }

    /** Whether a token is one of this kind, valid or not: others are no business of this. */
    static boolean isOne(String token) {
        return token.startsWith(HEADER + ".");
    }

    /** A token is not valid, with the server's reason; empty where it is of somebody else. */
    static final class InvalidTokenException extends Exception {
        private static final long serialVersionUID = 1;
        private static final String INVALID = "invalid bearer token";

        InvalidTokenException(String message) {
            super(message);
        }

        InvalidTokenException(String message, Throwable cause) {
            super(message, cause);
        }

        /** As a TokenReview says it. */
        String review() {
            String why = getMessage();
            return why == null || why.isEmpty() ? INVALID : "[" + INVALID + ", " + why + "]";
        }
    }

    /**
     * Whose it is.
     *
     * @throws InvalidTokenException if it is not valid, or not any more
     */
    Account read(String token) throws InvalidTokenException {
        JsonNode claims = signed(token);
        JsonNode own = claims.path(CLAIMS);
        String namespace = Json.text(own, "namespace");
        Account account = new Account(
                namespace,
                Json.text(own, "serviceaccount", "name"),
                Json.text(own, "serviceaccount", "uid"),
                Json.elements(claims.path("aud")).stream().map(JsonNode::asText).toList(),
                extra(claims));
        if (now.get().getEpochSecond() >= claims.path("exp").asLong()) {
            throw new InvalidTokenException("service account token has expired");
        }
        String uid = uid(Gvr.SERVICEACCOUNTS, namespace, account.name)
                .orElseThrow(() -> new InvalidTokenException("serviceaccounts \"" + account.name + "\" not found"));
        if (!uid.equals(account.uid)) {
            throw new InvalidTokenException(
                    "service account UID (" + uid + ") does not match claim (" + account.uid + ")");
        }
        if (!isThere(Gvr.core("secrets"), namespace, own.path("secret"))
                || !isThere(Gvr.PODS, namespace, own.path("pod"))
                || !(own.has("pod") || isThere(Gvr.NODES, null, own.path("node")))) {
            throw new InvalidTokenException("service account token has been invalidated");
        }
        return account;
    }

    private JsonNode signed(String token) throws InvalidTokenException {
        int dot = token.lastIndexOf('.');
        try {
            if (isOne(token)
                    && dot > HEADER.length()
                    && MessageDigest.isEqual(
                            Base64.getUrlDecoder().decode(token.substring(dot + 1)),
                            signature(token.substring(0, dot)))) {
                return Json.parse(Base64.getUrlDecoder().decode(token.substring(HEADER.length() + 1, dot)));
            }
        } catch (IllegalArgumentException e) {
            throw new InvalidTokenException("", e);
        }
        throw new InvalidTokenException("");
    }

    private static SortedMap<String, String> extra(JsonNode claims) {
        TreeMap<String, String> extra = new TreeMap<>();
        extra.put(EXTRA + "credential-id", "JTI=" + Json.text(claims, "jti"));
        for (String claim : List.of("pod", "node")) {
            JsonNode bound = claims.path(CLAIMS).path(claim);
            if (bound.isObject()) {
                extra.put(EXTRA + claim + "-name", Json.text(bound, "name"));
                extra.put(EXTRA + claim + "-uid", Json.text(bound, "uid"));
            }
        }
        return extra;
    }

    private boolean isThere(Gvr type, @Nullable String namespace, JsonNode bound) {
        return bound.isMissingNode()
                || uid(type, namespace, Json.text(bound, "name"))
                        .filter(Json.text(bound, "uid")::equals)
                        .isPresent();
    }

    private Optional<String> uid(Gvr type, @Nullable String namespace, String name) {
        return store.locked(() ->
                Optional.ofNullable(store.get(type, Key.of(namespace, name))).map(found -> Json.uid(found.object())));
    }

    private byte[] signature(String content) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(content.getBytes(StandardCharsets.US_ASCII));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
