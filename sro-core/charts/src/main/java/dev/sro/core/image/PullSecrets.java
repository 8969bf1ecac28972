package dev.sro.core.image;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.LenientYaml;
import dev.sro.core.yaml.YamlException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** Logins of registries, as {@code .dockerconfigjson} has them: by host, or by host and folder, the longest that fits. Immutable. */
public final class PullSecrets {

    /** No logins. */
    public static final PullSecrets NONE = new PullSecrets(Map.of());

    /** A login. Its text has no password in it. */
    record Login(String username, String password) {

        static final Login NONE = new Login("", "");

        @Override
        public String toString() {
            return "Login[" + username + "]";
        }
    }

    private final Map<String, Login> logins;

    private PullSecrets(Map<String, Login> logins) {
        this.logins = Map.copyOf(logins);
    }

    /**
     * Reads the file, also in its older form without {@code auths}.
     *
     * @param source for messages
     * @throws IllegalArgumentException if it cannot be read; the message has nothing secret in it
     */
    public static PullSecrets parse(String source, String json) {
        Map<String, Object> tree;
        try {
            tree = LenientYaml.map(source, json);
        } catch (YamlException e) {
            // What is said of the place may show a part of it.
            throw new IllegalArgumentException(source + " is no JSON object with logins (auths)");
        }
        Map<String, Login> logins = new LinkedHashMap<>();
        Map<String, Object> auths = tree.containsKey("auths") ? ValueTrees.map(tree, "auths") : tree;
        auths.forEach((key, value) -> {
            if (value instanceof Map<?, ?>) {
                logins.put(plain(key), login(source, key, ValueTrees.map(auths, key)));
            }
        });
        return new PullSecrets(logins);
    }

    /** These, and others where these have none. */
    public PullSecrets over(PullSecrets others) {
        Map<String, Login> all = new LinkedHashMap<>(others.logins);
        all.putAll(logins);
        return new PullSecrets(all);
    }

    private static Login login(String source, String key, Map<String, Object> entry) {
        String auth = ValueTrees.text(entry, "auth");
        if (auth.isEmpty()) {
            return new Login(ValueTrees.text(entry, "username"), ValueTrees.text(entry, "password"));
        }
        try {
            String pair = new String(Base64.getDecoder().decode(auth.strip()), StandardCharsets.UTF_8);
            int colon = pair.indexOf(':');
            if (colon >= 0) {
                return new Login(pair.substring(0, colon), pair.substring(colon + 1));
            }
        } catch (IllegalArgumentException e) {
            // It is said below, without what is secret.
        }
        throw new IllegalArgumentException(source + ": auth of " + key + " is not the base64 of USERNAME:PASSWORD");
    }

    /** docker writes addresses where others write hosts. */
    private static String plain(String key) {
        String name =
                key.replaceFirst("^https?://", "").replaceFirst("/v[12]/?$", "").replaceFirst("/+$", "");
        return name.startsWith("index.docker.io") ? name.substring("index.".length()) : name;
    }

    /** The login for this repository of this registry; an empty one if there is none. */
    Login of(ImageReference image) {
        String name = image.repository();
        while (true) {
            Login login = logins.get(name);
            if (login != null) {
                return login;
            }
            int slash = name.lastIndexOf('/');
            if (slash < 0) {
                return Login.NONE;
            }
            name = name.substring(0, slash);
        }
    }
}
