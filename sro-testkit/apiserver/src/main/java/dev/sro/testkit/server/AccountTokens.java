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
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of service accounts, with the claims that those of a kube-apiserver have ({@code pkg/serviceaccount/claims.go}), signed by a key
 * of this server alone. They end with their time, their account, and the object that they are bound to. Thread-safe.
 */
final class AccountTokens {
    static final String AUDIENCE = "https://kubernetes.default.svc.cluster.local";

    private static final String ALGORITHM = "HmacSHA256";
    private static final String HEADER = encode("{\"alg\":\"HS256\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.UTF_8));
    private static final String CLAIMS = "kubernetes.io";
    private static final int KEY_BYTES = 32;

    /** What a token is bound to beside its account: a key of the claims, and where the object is. */
    record Bound(String claim, Gvr type, @Nullable String namespace, String name, String uid) {}

    /** Whose a token is. */
    record Account(String namespace, String name, String uid, List<String> audiences) {
        ApiRequest.Identity identity() {
            return new ApiRequest.Identity(
                    "system:serviceaccount:" + namespace + ":" + name,
                    List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"));
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
     * @param bound what it goes with; null for the account alone
     */
    String issue(ObjectNode account, List<String> audiences, Instant expiry, String id, @Nullable Bound bound) {
        ObjectNode claims = Json.object();
        audiences.forEach(claims.putArray("aud")::add);
        claims.put("exp", expiry.getEpochSecond());
        claims.put("iat", now.get().getEpochSecond());
        claims.put("iss", AUDIENCE);
        claims.put("jti", id);
        ObjectNode own = claims.putObject(CLAIMS);
        own.put("namespace", Json.namespace(account));
        if (bound != null) {
            own.putObject(bound.claim).put("name", bound.name).put("uid", bound.uid);
        }
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

    /** Whose it is; empty if it is not valid, or not any more. */
    Optional<Account> read(String token) {
        int dot = token.lastIndexOf('.');
        if (!isOne(token) || dot <= HEADER.length()) {
            return Optional.empty();
        }
        try {
            byte[] signature = Base64.getUrlDecoder().decode(token.substring(dot + 1));
            if (!MessageDigest.isEqual(signature, signature(token.substring(0, dot)))) {
                return Optional.empty();
            }
        } catch (IllegalArgumentException e) {
            // No Base64.
            return Optional.empty();
        }
        JsonNode claims = Json.parse(Base64.getUrlDecoder().decode(token.substring(HEADER.length() + 1, dot)));
        JsonNode own = claims.path(CLAIMS);
        String namespace = Json.text(own, "namespace");
        Account account = new Account(
                namespace,
                Json.text(own, "serviceaccount", "name"),
                Json.text(own, "serviceaccount", "uid"),
                Json.elements(claims.path("aud")).stream().map(JsonNode::asText).toList());
        boolean lasts = now.get().getEpochSecond() < claims.path("exp").asLong()
                && isThere(Gvr.SERVICEACCOUNTS, namespace, account.name, account.uid)
                && isThere(Gvr.PODS, namespace, own.path("pod"))
                && isThere(Gvr.core("secrets"), namespace, own.path("secret"))
                && isThere(Gvr.NODES, null, own.path("node"));
        return lasts ? Optional.of(account) : Optional.empty();
    }

    private boolean isThere(Gvr type, @Nullable String namespace, JsonNode bound) {
        return bound.isMissingNode() || isThere(type, namespace, Json.text(bound, "name"), Json.text(bound, "uid"));
    }

    private boolean isThere(Gvr type, @Nullable String namespace, String name, String uid) {
        return store.locked(() -> {
            Stored found = store.get(type, Key.of(namespace, name));
            return found != null && Json.uid(found.object()).equals(uid);
        });
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
