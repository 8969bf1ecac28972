package dev.sro.agent.kubelet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A device that containers may have. Immutable.
 *
 * @param requests of the claim, for which it is
 * @param pool in which it is published
 * @param device its name there
 * @param cdi names by which the container runtime knows it
 */
record PreparedDevice(List<String> requests, String pool, String device, List<String> cdi) {
    PreparedDevice {
        requests = List.copyOf(requests);
        cdi = List.copyOf(cdi);
    }

    WireWriter write() {
        WireWriter writer = new WireWriter();
        requests.forEach(request -> writer.element(1, request));
        writer.string(2, pool).string(3, device);
        cdi.forEach(name -> writer.element(4, name));
        return writer;
    }

    static PreparedDevice read(WireReader reader) throws IOException {
        List<String> requests = new ArrayList<>();
        String pool = "";
        String device = "";
        List<String> cdi = new ArrayList<>();
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> requests.add(reader.string());
                case 2 -> pool = reader.string();
                case 3 -> device = reader.string();
                case 4 -> cdi.add(reader.string());
                default -> reader.skip();
            }
        }
        return new PreparedDevice(requests, pool, device, cdi);
    }
}
