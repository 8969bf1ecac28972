package dev.sro.core.image;

import java.util.Map;

/**
 * How registries are reached. Immutable.
 *
 * @param mirrors where images are read from
 * @param logins by registry
 * @param loginHint for a person: where the logins come from
 * @param authorities certificates (PEM) that are trusted beside those of the Java platform, by host with port; under the empty
 *     name those for all
 */
public record RegistrySettings(Mirrors mirrors, PullSecrets logins, String loginHint, Map<String, String> authorities) {

    /** Every image from its own registry, without a login. */
    public static final RegistrySettings NONE =
            new RegistrySettings(Mirrors.NONE, PullSecrets.NONE, "name a Secret with a login", Map.of());

    /** Copies. */
    public RegistrySettings {
        authorities = Map.copyOf(authorities);
    }

    String authorities(String host) {
        return authorities.getOrDefault("", "") + authorities.getOrDefault(host, "");
    }

    /** Without anything secret. */
    @Override
    public String toString() {
        return "RegistrySettings";
    }
}
