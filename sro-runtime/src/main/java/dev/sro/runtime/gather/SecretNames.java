package dev.sro.runtime.gather;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Which names are those of secrets: of fields, keys, annotations, variables and options, in any way of writing. Stateless. */
final class SecretNames {

    private static final Set<String> WORDS = Set.of(
            "password",
            "passwords",
            "passwd",
            "passphrase",
            "pwd",
            "pass",
            "token",
            "tokens",
            "secret",
            "secrets",
            "credential",
            "credentials",
            "creds",
            "authorization",
            "auth",
            "auths",
            "apikey",
            "cookie",
            "bearer",
            "signature",
            "sig",
            "dockercfg",
            "dockerconfigjson",
            "kubeconfig",
            "psk",
            "pin",
            "dsn");

    /** With the word key behind them; so a key of a reference is none. */
    private static final Set<String> OF_KEYS = Set.of(
            "api",
            "private",
            "secret",
            "access",
            "encryption",
            "signing",
            "ssh",
            "license",
            "shared",
            "account",
            "auth");

    /** The last word of what names a secret, or says something of it. */
    private static final Set<String> HARMLESS = Set.of(
            "name",
            "names",
            "ref",
            "refs",
            "path",
            "file",
            "files",
            "mount",
            "mounts",
            "audience",
            "audiences",
            "seconds",
            "policy",
            "class",
            "kind",
            "type",
            "namespace",
            "version",
            "count",
            "enabled");

    private static final Set<String> NO_SECRETS = Set.of("automountserviceaccounttoken", "serviceaccounttoken");

    private SecretNames() {}

    static boolean has(String name) {
        List<String> words = Arrays.stream(name.split("[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"))
                .map(word -> word.toLowerCase(Locale.ROOT))
                .filter(word -> !word.isEmpty())
                .toList();
        if (words.isEmpty()
                || HARMLESS.contains(words.get(words.size() - 1))
                || NO_SECRETS.contains(String.join("", words))) {
            return false;
        }
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            boolean key = i > 0 && (word.equals("key") || word.equals("keys")) && OF_KEYS.contains(words.get(i - 1));
            if (key || WORDS.contains(word) || endsAsOne(word)) {
                return true;
            }
        }
        return false;
    }

    /** Words that are written together: {@code DBPASSWORD}, {@code authtoken}. */
    private static boolean endsAsOne(String word) {
        return List.of("password", "passwd", "token", "secret", "apikey", "privatekey").stream()
                .anyMatch(word::endsWith);
    }
}
