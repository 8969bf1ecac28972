package dev.sro.core.slicing.catalogue;

import dev.sro.core.slicing.input.InputDocument;
import dev.sro.core.slicing.input.InputException;
import dev.sro.core.slicing.input.Suggestions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Device models by key, product name and PCI id. Built-in are NVIDIA MIG, AMD compute and memory partitions and Alibaba PPU;
 * another vendor's scheme or a new card is a file (see {@code slicing-catalogue-v1.schema.json}), no code. Immutable and
 * thread-safe.
 */
public final class Catalogue {
    private static final String FILES = "/dev/sro/core/slicing/";

    private final List<DeviceModel> models;
    private final Map<String, DeviceModel> byKey = new LinkedHashMap<>();
    private final Map<String, DeviceModel> byProduct = new LinkedHashMap<>();
    private final Map<String, DeviceModel> byPciId = new HashMap<>();

    private Catalogue(Collection<DeviceModel> models) {
        this.models = List.copyOf(models);
        for (DeviceModel model : models) {
            byKey.put(model.key(), model);
            model.products().forEach(product -> byProduct.put(ProductNames.normal(product), model));
            model.pciDeviceIds().forEach(id -> byPciId.put(id, model));
        }
    }

    /** The catalogue that comes with the library. */
    public static Catalogue builtin() {
        return Builtin.CATALOGUE;
    }

    /**
     * Reads a catalogue file, JSON or YAML.
     *
     * @throws CatalogueException with every error in it, each naming file, line, entry and field
     */
    public static Catalogue read(Path file) {
        try {
            return CatalogueReader.read(InputDocument.read(file).ofWords());
        } catch (InputException e) {
            throw new CatalogueException(e.errors());
        }
    }

    /**
     * Reads a catalogue text, JSON or YAML.
     *
     * @param source what errors call it
     * @throws CatalogueException with every error in it, each naming source, line, entry and field
     */
    public static Catalogue read(String source, String text) {
        try {
            return CatalogueReader.read(InputDocument.parse(source, text).ofWords());
        } catch (InputException e) {
            throw new CatalogueException(e.errors());
        }
    }

    /**
     * A catalogue of models made in code.
     *
     * @throws CatalogueException if two have the same key, product name or PCI id
     */
    public static Catalogue of(Collection<DeviceModel> models) {
        List<String> errors = new ArrayList<>();
        Map<String, String> owners = new HashMap<>();
        for (DeviceModel model : models) {
            names(model).forEach((kind, name) -> {
                String other = owners.putIfAbsent(kind, model.key());
                if (other != null && (kind.startsWith("key") || !other.equals(model.key()))) {
                    errors.add("device model " + model.key() + ": " + name + " is also that of " + other);
                }
            });
        }
        if (!errors.isEmpty()) {
            throw new CatalogueException(errors);
        }
        return new Catalogue(models);
    }

    private static Map<String, String> names(DeviceModel model) {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("key " + model.key(), "key");
        model.products().forEach(product -> names.put("product " + ProductNames.normal(product), "product " + product));
        model.pciDeviceIds().forEach(id -> names.put("pci " + id, "PCI id " + id));
        return names;
    }

    /**
     * This catalogue with another one over it: a model of the same key is replaced in its place, others are added. A
     * product name or PCI id that both know belongs to {@code over}.
     */
    public Catalogue with(Catalogue over) {
        Map<String, DeviceModel> merged = new LinkedHashMap<>();
        models.forEach(model -> merged.put(model.key(), model));
        over.models.forEach(model -> merged.put(model.key(), model));
        Catalogue result = new Catalogue(merged.values());
        result.byProduct.putAll(over.byProduct);
        result.byPciId.putAll(over.byPciId);
        return result;
    }

    /** All models, in the order of the files. */
    public List<DeviceModel> models() {
        return models;
    }

    /** The model with this key or product name; case, punctuation and the vendor's name before it do not matter. */
    public Optional<DeviceModel> find(String name) {
        DeviceModel exact = byKey.get(name);
        if (exact != null) {
            return Optional.of(exact);
        }
        String normal = ProductNames.normal(name);
        return Optional.ofNullable(byProduct.get(normal))
                .or(() -> models.stream()
                        .filter(model -> ProductNames.normal(model.key()).equals(normal))
                        .findFirst());
    }

    /**
     * The model with this PCI id: {@code 0x20b0}, {@code 10de:20b0} or NVML's {@code 0x20B010DE}. Where the vendor is
     * given, it must be the model's.
     */
    public Optional<DeviceModel> findByPciId(String id) {
        return PciId.parse(id)
                .flatMap(parsed -> Optional.ofNullable(byPciId.get(parsed.device()))
                        .filter(model -> parsed.vendor().isEmpty()
                                || model.pciVendorId().isEmpty()
                                || model.pciVendorId().equals(parsed.vendor())));
    }

    /**
     * As {@link #find}.
     *
     * @throws UnknownModelException naming what may have been meant
     */
    public DeviceModel model(String name) {
        return find(name).orElseThrow(() -> {
            List<String> known = new ArrayList<>(byKey.keySet());
            models.forEach(model -> known.addAll(model.products()));
            List<String> close = Suggestions.close(name, known);
            String hint = close.isEmpty() ? "" : "; did you mean " + String.join(", ", close) + "?";
            return new UnknownModelException(
                    name, close, "no device model is called " + (name.isEmpty() ? "\"\"" : name) + hint);
        });
    }

    /**
     * As {@link #findByPciId}.
     *
     * @throws UnknownModelException if there is none, or {@code id} is not a PCI id
     */
    public DeviceModel modelByPciId(String id) {
        return findByPciId(id).orElseThrow(() -> {
            String why = PciId.parse(id).isPresent()
                    ? "no device model has the PCI id " + id
                    : id + " is not a PCI id, such as 0x20b0 or 10de:20b0";
            return new UnknownModelException(id, List.of(), why);
        });
    }

    /**
     * The model with this key, product name or PCI id.
     *
     * @throws UnknownModelException naming what may have been meant
     */
    public DeviceModel resolve(String name) {
        // A100 is a hexadecimal number, too.
        boolean spelledAsPciId = name.startsWith("0x") || name.contains(":");
        return find(name)
                .or(() -> findByPciId(name))
                .orElseGet(() -> spelledAsPciId ? modelByPciId(name) : model(name));
    }

    /** Read once; immutable. */
    private static final class Builtin {
        static final Catalogue CATALOGUE = of(text("catalogues.txt")
                .lines()
                .flatMap(file -> Catalogue.read(file, text(file)).models().stream())
                .toList());

        private static String text(String file) {
            try (InputStream in = Objects.requireNonNull(Catalogue.class.getResourceAsStream(FILES + file), file)) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
