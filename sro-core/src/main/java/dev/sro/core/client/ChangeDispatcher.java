package dev.sro.core.client;

import dev.sro.core.client.informer.Informers;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes on what changed, by the name of what is to be reconciled. Informers are made before those who are told, and start after
 * them: until then nobody is. Thread-safe.
 */
final class ChangeDispatcher implements Consumer<String>, Informers.Listener {
    private volatile @Nullable Consumer<String> requests;
    private volatile @Nullable CompanionControllers companions;

    void tell(CompanionControllers them) {
        companions = them;
    }

    void tell(Consumer<String> them) {
        requests = them;
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
        Consumer<String> main = requests;
        if (main != null) {
            main.accept(name);
        }
        if (beside != null) {
            beside.requestPreflights();
        }
    }
}
