package dev.sro.core.client;

import dev.sro.core.engine.Controller;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes on what changed, by the name of what is to be reconciled. Informers are made before those who are told, and start after
 * them: until then nobody is. Thread-safe.
 */
final class Changes implements Consumer<String>, Informers.Listener {
    private volatile @Nullable Controller controller;
    private volatile @Nullable CompanionControllers companions;

    void tell(CompanionControllers them) {
        companions = them;
    }

    void tell(Controller it) {
        controller = it;
    }

    @Override
    public void claimed() {
        CompanionControllers beside = companions;
        if (beside != null) {
            beside.buildSources().doubt();
            beside.requestModules();
        }
    }

    @Override
    public void served() {
        CompanionControllers beside = companions;
        if (beside != null) {
            beside.served();
        }
    }

    @Override
    public void accept(String name) {
        CompanionControllers beside = companions;
        if (beside != null && beside.takes(name)) {
            return;
        }
        Controller main = controller;
        if (main != null) {
            main.request(name);
        }
        if (beside != null) {
            beside.requestPreflights();
        }
    }
}
