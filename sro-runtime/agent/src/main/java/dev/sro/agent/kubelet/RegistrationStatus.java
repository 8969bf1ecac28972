package dev.sro.agent.kubelet;

import java.io.IOException;

/**
 * What came of a registration. Immutable.
 *
 * @param registered whether kubelet took the plugin
 * @param error why not
 */
public record RegistrationStatus(boolean registered, String error) {
    WireWriter write() {
        return new WireWriter().bool(1, registered).string(2, error);
    }

    static RegistrationStatus read(WireReader reader) throws IOException {
        boolean registered = false;
        String error = "";
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> registered = reader.bool();
                case 2 -> error = reader.string();
                default -> reader.skip();
            }
        }
        return new RegistrationStatus(registered, error);
    }
}
