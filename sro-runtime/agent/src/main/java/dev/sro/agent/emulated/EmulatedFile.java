package dev.sro.agent.emulated;

import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.UnknownModelException;
import dev.sro.core.slicing.input.InputDocument;
import dev.sro.core.slicing.input.InputException;
import dev.sro.core.slicing.input.InputField;
import dev.sro.core.slicing.input.InputObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the file that says which devices the nodes of a cluster are to have. Stateless. */
public final class EmulatedFile {
    private static final String SCHEMA = "sro.dev/emulated-devices/v1";
    private static final int MOST_GPUS = 64;
    private static final int LONGEST_MILLIS = 600_000;

    private final InputDocument document;
    private final Catalogue catalogue;

    private EmulatedFile(InputDocument document, Catalogue catalogue) {
        this.document = document;
        this.catalogue = catalogue;
    }

    /**
     * What the node of this name is to have: the entry with its name, else the one called {@code *}.
     *
     * @throws InputException with every error in the file, each with its line and field
     */
    public static EmulatedNode read(InputDocument document, Catalogue catalogue, String node) {
        return new EmulatedFile(document, catalogue).read(node);
    }

    private EmulatedNode read(String node) {
        InputObject file = document.root().object("schema", "driver", "cuda", "latency", "nodes", "failures", "faults");
        file.required("schema").ifPresent(field -> field.mustBe(SCHEMA));
        DriverVersion version = new DriverVersion(file.string("driver", "580.65.06"), file.string("cuda", "13.0"));
        Optional<InputObject> latency = file.get("latency").map(field -> field.object("create", "destroy"));
        Optional<List<EmulatedGpus>> own = Optional.empty();
        Optional<List<EmulatedGpus>> others = Optional.empty();
        for (InputField entry : file.required("nodes").map(InputField::list).orElse(List.of())) {
            InputObject fields = entry.object("name", "gpus");
            String name = fields.string("name");
            List<EmulatedGpus> gpus = gpus(entry, fields);
            own = name.equals(node) ? Optional.of(gpus) : own;
            others = name.equals("*") ? Optional.of(gpus) : others;
        }
        List<EmulatedFailure> failures = new ArrayList<>();
        for (InputField entry : file.list("failures")) {
            failure(entry, node).ifPresent(failures::add);
        }
        Map<PciAddress, Integer> faults = new TreeMap<>();
        for (InputField entry : file.list("faults")) {
            fault(entry, node, faults);
        }
        Duration create = millis(latency, "create");
        Duration destroy = millis(latency, "destroy");
        document.check();
        List<EmulatedGpus> gpus = own.isPresent() ? own.get() : others.orElse(List.of());
        return new EmulatedNode(version, create, destroy, gpus, failures, faults);
    }

    private static Duration millis(Optional<InputObject> latency, String name) {
        Optional<InputField> field = latency.flatMap(object -> object.get(name));
        int value = field.map(InputField::integer).orElse(0);
        if (value < 0 || value > LONGEST_MILLIS) {
            field.ifPresent(found -> found.error("must be 0 to " + LONGEST_MILLIS + " milliseconds"));
            return Duration.ZERO;
        }
        return Duration.ofMillis(value);
    }

    private List<EmulatedGpus> gpus(InputField entry, InputObject fields) {
        List<EmulatedGpus> result = new ArrayList<>();
        int sum = 0;
        for (InputField gpu : fields.list("gpus")) {
            InputObject about = gpu.object("model", "count", "mode", "resettable");
            int count = about.integer("count", 1);
            if (count < 1) {
                gpu.error("count must be at least 1");
            }
            sum += Math.max(0, Math.min(count, MOST_GPUS + 1));
            GpuMode mode = about.get("mode")
                    .flatMap(field -> choice(field, GpuMode.class, "slices"))
                    .orElse(GpuMode.SLICES);
            boolean resettable = about.bool("resettable", true);
            model(about).ifPresent(model -> result.add(new EmulatedGpus(model, count, mode, resettable)));
        }
        if (sum > MOST_GPUS) {
            entry.error("a node has " + MOST_GPUS + " GPUs at most");
        }
        return result;
    }

    private Optional<DeviceModel> model(InputObject about) {
        Optional<InputField> field = about.required("model");
        try {
            return field.map(InputField::string).filter(name -> !name.isEmpty()).map(catalogue::resolve);
        } catch (UnknownModelException e) {
            field.ifPresent(found -> found.error(String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }

    private static void fault(InputField entry, String node, Map<PciAddress, Integer> faults) {
        InputObject fields = entry.object("node", "gpu", "xid");
        Optional<PciAddress> gpu = fields.required("gpu").flatMap(EmulatedFile::address);
        int xid = fields.required("xid").map(InputField::integer).orElse(0);
        if (fields.string("node", node).equals(node)) {
            gpu.ifPresent(address -> faults.put(address, xid));
        }
    }

    private static Optional<PciAddress> address(InputField field) {
        Optional<PciAddress> address = PciAddress.read(field.string());
        if (address.isEmpty()) {
            field.error("must be a PCI address, such as 0000:10:00.0");
        }
        return address;
    }

    private static Optional<EmulatedFailure> failure(InputField entry, String node) {
        InputObject fields = entry.object("operation", "node", "gpu", "kind", "skip", "times", "done");
        Optional<EmulatedOperation> operation = fields.required("operation")
                .flatMap(field -> choice(field, EmulatedOperation.class, "create-gpu-instance"));
        Optional<DeviceException.Kind> kind =
                fields.required("kind").flatMap(field -> choice(field, DeviceException.Kind.class, "in-use"));
        Optional<PciAddress> gpu = fields.get("gpu").flatMap(EmulatedFile::address);
        int skip = fields.integer("skip", 0);
        int times = fields.integer("times", 1);
        if (skip < 0 || times < 0) {
            entry.error("skip and times must be at least 0");
        }
        boolean done = fields.bool("done", false);
        if (!fields.string("node", node).equals(node) || operation.isEmpty() || kind.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new EmulatedFailure(operation.get(), gpu, kind.get(), skip, times, done));
    }

    private static <E extends Enum<E>> Optional<E> choice(InputField field, Class<E> type, String example) {
        String text = field.string();
        Optional<E> found = Stream.of(type.getEnumConstants())
                .filter(value -> spelling(value).equals(text))
                .findFirst();
        if (found.isEmpty()) {
            field.error("\"" + text + "\" is none of "
                    + Stream.of(type.getEnumConstants())
                            .map(EmulatedFile::spelling)
                            .collect(Collectors.joining(", "))
                    + "; such as " + example);
        }
        return found;
    }

    private static String spelling(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
