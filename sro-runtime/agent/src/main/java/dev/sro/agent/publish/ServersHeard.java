package dev.sro.agent.publish;

import dev.sro.core.dra.DraServer;
import java.util.Optional;

/**
 * For which server is published. While a control plane is upgraded, servers of two versions answer in turn; so another one counts when it
 * answered twice in a row. Not thread-safe.
 */
final class ServersHeard {
    private Optional<DraServer> current = Optional.empty();
    private Optional<DraServer> last = Optional.empty();

    /**
     * One answered.
     *
     * @return whether it is from now on another one than before
     */
    boolean heard(DraServer server) {
        Optional<DraServer> before = last;
        last = Optional.of(server);
        if (current.equals(last) || (current.isPresent() && !before.equals(last))) {
            return false;
        }
        current = last;
        return true;
    }
}
