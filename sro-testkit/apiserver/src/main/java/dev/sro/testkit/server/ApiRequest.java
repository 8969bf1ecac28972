package dev.sro.testkit.server;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A request as a client sends it. Immutable, except that the body is not copied: do not change it afterwards.
 *
 * @param method upper-case HTTP method
 * @param path decoded path, for instance {@code /api/v1/namespaces/a/pods}
 * @param query decoded query parameters
 * @param contentType of the body, null if not given
 * @param accept the Accept header, null if not given
 * @param userAgent who asks; the part before the first slash is the default field manager
 * @param identity the user in whose name the request is made, null for the cluster's administrator
 * @param token of who makes it, as given out by {@code serviceaccounts/token}; null, or any other, for the cluster's administrator
 * @param body the body, null if there is none
 */
@SuppressWarnings("ArrayRecordComponent") // the body goes through untouched and is never compared
public record ApiRequest(
        String method,
        String path,
        Map<String, List<String>> query,
        @Nullable String contentType,
        @Nullable String accept,
        String userAgent,
        @Nullable Identity identity,
        @Nullable String token,
        byte @Nullable [] body) {

    private static final String BEARER = "Bearer ";

    /** A request of the cluster's administrator. */
    public ApiRequest(
            String method,
            String path,
            Map<String, List<String>> query,
            @Nullable String contentType,
            @Nullable String accept,
            String userAgent,
            @Nullable Identity identity,
            byte @Nullable [] body) {
        this(method, path, query, contentType, accept, userAgent, identity, null, body);
    }

    /**
     * A user and his groups.
     *
     * @param user name, for instance {@code system:serviceaccount:sro:operator}
     * @param groups explicit groups
     * @param uid of a user that showed a token; empty for others
     * @param extra what else is known of him, by its key
     */
    public record Identity(String user, List<String> groups, String uid, SortedMap<String, String> extra) {
        public Identity {
            groups = List.copyOf(groups);
            extra = Collections.unmodifiableSortedMap(new TreeMap<>(extra));
        }

        /** Of whom nothing else is known. */
        public Identity(String user, List<String> groups) {
            this(user, groups, "", new TreeMap<>());
        }
    }

    /** A request without body. The path may carry a query ({@code ?a=b&c=d}, not encoded). */
    public static ApiRequest of(String method, String pathAndQuery) {
        return of(method, pathAndQuery, null, null);
    }

    /** A request with a body. */
    public static ApiRequest of(
            String method, String pathAndQuery, @Nullable String contentType, byte @Nullable [] body) {
        int mark = pathAndQuery.indexOf('?');
        String path = mark < 0 ? pathAndQuery : pathAndQuery.substring(0, mark);
        Map<String, List<String>> query = new LinkedHashMap<>();
        if (mark >= 0) {
            for (String part : pathAndQuery.substring(mark + 1).split("&")) {
                int eq = part.indexOf('=');
                String key = eq < 0 ? part : part.substring(0, eq);
                query.put(key, List.of(eq < 0 ? "" : part.substring(eq + 1)));
            }
        }
        return new ApiRequest(method, path, query, contentType, null, "test", null, body);
    }

    /** The same request in the name of a user agent. */
    public ApiRequest withUserAgent(String agent) {
        return new ApiRequest(method, path, query, contentType, accept, agent, identity, token, body);
    }

    /** The same request in the name of a user. */
    public ApiRequest withIdentity(@Nullable Identity other) {
        return new ApiRequest(method, path, query, contentType, accept, userAgent, other, token, body);
    }

    /** The same request by who has this token. */
    public ApiRequest withToken(@Nullable String other) {
        return new ApiRequest(method, path, query, contentType, accept, userAgent, identity, other, body);
    }

    /** The token of an {@code Authorization} header; null if it has none. */
    public static @Nullable String bearer(@Nullable String authorization) {
        return authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? authorization.substring(BEARER.length()).strip()
                : null;
    }

    /** The first value of a query parameter, or null. */
    public @Nullable String param(String name) {
        List<String> values = query.get(name);
        return values == null || values.isEmpty() ? null : values.get(0);
    }

    /** Whether it asks for a watch instead of a list. */
    public boolean isWatch() {
        if (path.contains("/watch/") && LegacyWatch.is(path)) {
            return true;
        }
        String watch = param("watch");
        return watch != null && ListOptions.isYes(watch);
    }
}
