package dev.sro.agent.kubelet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Messages of kubelet's interface for device plugins, {@code v1beta1}. Stateless. */
final class PluginMessages {
    private PluginMessages() {}

    static WireWriter writeIds(List<String> ids) {
        WireWriter writer = new WireWriter();
        ids.forEach(id -> writer.element(1, id));
        return writer;
    }

    static List<String> readIds(WireReader reader) throws IOException {
        List<String> ids = new ArrayList<>();
        while (reader.next()) {
            if (reader.field() == 1) {
                ids.add(reader.string());
            } else {
                reader.skip();
            }
        }
        return ids;
    }

    /** What the plugin wants to be asked: before each start of a container, and for its preference. */
    record Options(boolean preStart, boolean preferred) {
        WireWriter write() {
            return new WireWriter().bool(1, preStart).bool(2, preferred);
        }

        static Options read(WireReader reader) throws IOException {
            boolean preStart = false;
            boolean preferred = false;
            while (reader.next()) {
                switch (reader.field()) {
                    case 1 -> preStart = reader.bool();
                    case 2 -> preferred = reader.bool();
                    default -> reader.skip();
                }
            }
            return new Options(preStart, preferred);
        }
    }

    /** {@code RegisterRequest}; {@code endpoint} is the name of the socket in kubelet's directory. */
    record Register(String version, String endpoint, String resource, Options options) {
        WireWriter write() {
            return new WireWriter()
                    .string(1, version)
                    .string(2, endpoint)
                    .string(3, resource)
                    .message(4, options.write());
        }

        static Register read(WireReader reader) throws IOException {
            String version = "";
            String endpoint = "";
            String resource = "";
            Options options = new Options(false, false);
            while (reader.next()) {
                switch (reader.field()) {
                    case 1 -> version = reader.string();
                    case 2 -> endpoint = reader.string();
                    case 3 -> resource = reader.string();
                    case 4 -> options = Options.read(reader.message());
                    default -> reader.skip();
                }
            }
            return new Register(version, endpoint, resource, options);
        }
    }

    /** Ids, by container: {@code AllocateRequest} and {@code PreferredAllocationResponse}, which look the same. */
    record Ids(List<List<String>> containers) {
        WireWriter write() {
            WireWriter writer = new WireWriter();
            containers.forEach(ids -> writer.message(1, writeIds(ids)));
            return writer;
        }

        static Ids read(WireReader reader) throws IOException {
            List<List<String>> containers = new ArrayList<>();
            while (reader.next()) {
                if (reader.field() == 1) {
                    containers.add(readIds(reader.message()));
                } else {
                    reader.skip();
                }
            }
            return new Ids(containers);
        }
    }

    /** What kubelet would like to hear a preference of: {@code ContainerPreferredAllocationRequest}. */
    record Preference(List<String> available, List<String> must, int size) {
        private WireWriter write() {
            WireWriter writer = new WireWriter();
            available.forEach(id -> writer.element(1, id));
            must.forEach(id -> writer.element(2, id));
            return writer.number(3, size);
        }

        private static Preference read(WireReader reader) throws IOException {
            List<String> available = new ArrayList<>();
            List<String> must = new ArrayList<>();
            int size = 0;
            while (reader.next()) {
                switch (reader.field()) {
                    case 1 -> available.add(reader.string());
                    case 2 -> must.add(reader.string());
                    case 3 -> size = (int) reader.number();
                    default -> reader.skip();
                }
            }
            return new Preference(available, must, size);
        }
    }

    /** {@code PreferredAllocationRequest}. */
    record Preferences(List<Preference> containers) {
        WireWriter write() {
            WireWriter writer = new WireWriter();
            containers.forEach(one -> writer.message(1, one.write()));
            return writer;
        }

        static Preferences read(WireReader reader) throws IOException {
            List<Preference> containers = new ArrayList<>();
            while (reader.next()) {
                if (reader.field() == 1) {
                    containers.add(Preference.read(reader.message()));
                } else {
                    reader.skip();
                }
            }
            return new Preferences(containers);
        }
    }

    /** {@code AllocateResponse}: names of CDI devices, by container. */
    record Allocated(List<List<String>> containers) {
        WireWriter write() {
            WireWriter writer = new WireWriter();
            for (List<String> names : containers) {
                WireWriter one = new WireWriter();
                names.forEach(name -> one.message(5, new WireWriter().string(1, name)));
                // Kubelets before 1.28 pass over the field; runtimes read the annotation, whose name has to be unique
                // in a container.
                if (!names.isEmpty()) {
                    one.message(
                            4,
                            new WireWriter()
                                    .string(1, "cdi.k8s.io/sro-" + Integer.toHexString(names.hashCode()))
                                    .string(2, String.join(",", names)));
                }
                writer.message(1, one);
            }
            return writer;
        }

        static Allocated read(WireReader reader) throws IOException {
            List<List<String>> containers = new ArrayList<>();
            while (reader.next()) {
                if (reader.field() == 1) {
                    containers.add(names(reader.message()));
                } else {
                    reader.skip();
                }
            }
            return new Allocated(containers);
        }

        private static List<String> names(WireReader reader) throws IOException {
            List<String> names = new ArrayList<>();
            while (reader.next()) {
                if (reader.field() == 5) {
                    WireReader device = reader.message();
                    while (device.next()) {
                        if (device.field() == 1) {
                            names.add(device.string());
                        } else {
                            device.skip();
                        }
                    }
                } else {
                    reader.skip();
                }
            }
            return names;
        }
    }
}
