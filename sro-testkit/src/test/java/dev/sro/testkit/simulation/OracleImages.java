package dev.sro.testkit.simulation;

import dev.sro.core.driver.RegistryProbe.Finding;
import dev.sro.core.driver.RegistryProbe.Kind;
import dev.sro.core.driver.RegistryProbe.Query;
import dev.sro.core.engine.port.ImageLooks;
import dev.sro.core.image.RegistrySettings;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A registry of which a history decides whether it has images, but for those that are built, which it has when they were pushed.
 * Confined to one thread.
 */
final class OracleImages implements ImageLooks {

    /** What images that are built begin with. */
    static final String BUILT = "registry.example/built";

    private static final String DIGEST = "sha256:" + "0123456789abcdef".repeat(4);

    private Predicate<String> pushed = image -> false;
    private Kind answer = Kind.FOUND;
    private boolean throwing;
    /** Images that were found once. */
    private final Set<String> had = new HashSet<>();

    private boolean back;

    /** Which images of those that are built were pushed. */
    void pushed(Predicate<String> images) {
        pushed = images;
    }

    void answer(Kind kind) {
        answer = kind;
        throwing = false;
    }

    void fail() {
        throwing = true;
    }

    /** What an operator has seen can be read from now on: one that is started later knows nothing of it. */
    void bringBackWhatWasHad() {
        back = true;
    }

    @Override
    public Finding look(Query query, RegistrySettings settings) {
        if (back && had.contains(query.image())) {
            return new Finding(Kind.FOUND, DIGEST, "");
        }
        if (throwing) {
            throw new IllegalStateException("the probe has a bug");
        }
        Finding finding = find(query);
        if (finding.kind() == Kind.FOUND) {
            had.add(query.image());
        }
        return finding;
    }

    private Finding find(Query query) {
        if (query.image().startsWith(BUILT) && answer != Kind.UNREACHABLE) {
            return pushed.test(query.image()) ? new Finding(Kind.FOUND, DIGEST, "") : Finding.of(Kind.MISSING, "");
        }
        return answer == Kind.FOUND
                ? new Finding(Kind.FOUND, DIGEST, "")
                : Finding.of(answer, "registry.example says so");
    }

    @Override
    public RegistrySettings settings(String namespace, List<String> pullSecrets) {
        return RegistrySettings.NONE;
    }
}
