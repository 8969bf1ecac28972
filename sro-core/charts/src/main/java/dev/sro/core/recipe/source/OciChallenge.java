package dev.sro.core.recipe.source;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a registry wants to be asked: the header WWW-Authenticate. Immutable.
 *
 * @param scheme {@code basic} or {@code bearer}
 * @param parameters by name, in small letters
 */
record OciChallenge(String scheme, Map<String, String> parameters) {

    private static final Pattern START = Pattern.compile("(?i)(?:^|,)\\s*(bearer|basic)(?=\\s|,|$)");
    private static final Pattern PARAMETER =
            Pattern.compile("([A-Za-z_]++)\\s*+=\\s*+(?:\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"|([^\\s,\"]+))");

    /** Longer than any that is meant: what is looked for by patterns takes time by the square of its length. */
    static final int MAX_LENGTH = 4 << 10;

    private static final int MAX_HEADERS = 8;

    /** The one to follow; a token where there is a choice. Of one that is too long to be meant nothing is taken. */
    static Optional<OciChallenge> of(List<String> headers) {
        Optional<OciChallenge> chosen = Optional.empty();
        List<String> some = headers.stream()
                .filter(header -> header.length() <= MAX_LENGTH)
                .limit(MAX_HEADERS)
                .toList();
        for (String header : some) {
            Matcher matcher = START.matcher(header);
            while (matcher.find()) {
                String scheme = matcher.group(1).toLowerCase(Locale.ROOT);
                if (chosen.isEmpty() || scheme.equals("bearer")) {
                    chosen = Optional.of(new OciChallenge(scheme, parameters(header.substring(matcher.end()))));
                }
            }
        }
        return chosen;
    }

    private static Map<String, String> parameters(String text) {
        Map<String, String> found = new HashMap<>();
        Matcher matcher = PARAMETER.matcher(text);
        while (matcher.find()) {
            String value = matcher.group(2) == null
                    ? matcher.group(3)
                    : matcher.group(2).replaceAll("\\\\(.)", "$1");
            found.putIfAbsent(matcher.group(1).toLowerCase(Locale.ROOT), value);
        }
        return found;
    }

    /** Where the token is; empty if there is no such address. */
    Optional<URI> tokenAddress(String repository) {
        String realm = parameters.getOrDefault("realm", "");
        String scope = parameters.getOrDefault("scope", "repository:" + repository + ":pull");
        String service = parameters.getOrDefault("service", "");
        String query = (realm.contains("?") ? "&" : "?") + "scope=" + encode(scope)
                + (service.isEmpty() ? "" : "&service=" + encode(service));
        try {
            return Optional.of(URI.create(realm + query)).filter(HttpFiles::isHttp);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
