package dev.sro.core.slicing.catalogue;

import dev.sro.core.slicing.input.InputDocument;
import dev.sro.core.slicing.input.InputField;
import dev.sro.core.slicing.input.InputObject;
import dev.sro.core.slicing.input.Suggestions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads a catalogue file: its own shape here, a model's in {@link ModelReader}. All errors are collected. */
final class CatalogueReader {
    static final String SCHEMA = "sro.dev/slicing-catalogue/v1";

    static final String[] FIELDS = {"schema", "scheme", "vendor", "pciVendorId", "sources", "conflicts", "models"};
    static final String[] CONFLICT_FIELDS = {"topic", "detail", "resolution", "models"};

    private final InputDocument document;
    private final Map<String, String> owners = new HashMap<>();

    private CatalogueReader(InputDocument document) {
        this.document = document;
    }

    static Catalogue read(InputDocument document) {
        return new CatalogueReader(document).read();
    }

    private Catalogue read() {
        InputObject file = document.root().object(FIELDS);
        file.required("schema").ifPresent(field -> {
            String schema = field.string();
            if (!schema.equals(SCHEMA)) {
                field.error("\"" + schema + "\" is not a format that can be read; it must be \"" + SCHEMA + "\"");
            }
        });
        Optional<Map<String, InputField>> sources = file.get("sources").map(InputField::fields);
        sources.ifPresent(all -> all.values().forEach(InputField::string));
        ModelReader reader = new ModelReader(
                file.string("scheme"),
                file.string("vendor", ""),
                file.get("pciVendorId").map(CatalogueReader::pciId).orElse(""),
                sources.map(Map::keySet));
        List<DeviceModel> models = new ArrayList<>();
        List<InputField> entries = file.required("models").map(InputField::list).orElse(List.of());
        for (InputField entry : entries) {
            InputObject fields = entry.object(ModelReader.FIELDS);
            reader.read(entry, fields).ifPresent(models::add);
            unique(fields);
        }
        conflicts(file, entries);
        document.check();
        return Catalogue.of(models);
    }

    static String pciId(InputField field) {
        String id = field.string();
        if (!PciId.CANONICAL.matcher(id).matches()) {
            field.error("\"" + id + "\" is not 0x and four lower-case hexadecimal digits, such as \"0x20b0\"");
        }
        return id;
    }

    private void unique(InputObject model) {
        String key = model.get("key")
                .filter(InputField::isString)
                .map(InputField::string)
                .orElse("");
        model.get("key").ifPresent(field -> own("key " + key, key, field, "the key " + key, true));
        named(model, "products")
                .forEach(field -> own(
                        "product " + ProductNames.normal(field.string()),
                        key,
                        field,
                        "the product " + field.string(),
                        false));
        named(model, "pciDeviceIds")
                .forEach(field -> own("pci " + field.string(), key, field, "the PCI id " + field.string(), false));
    }

    private static List<InputField> named(InputObject model, String list) {
        return model.get(list).filter(InputField::isList).map(InputField::list).orElse(List.of()).stream()
                .filter(InputField::isString)
                .toList();
    }

    private void own(String name, String key, InputField field, String what, boolean always) {
        String other = owners.putIfAbsent(name, key);
        if (other != null && (always || !other.equals(key))) {
            field.error(what + " is also that of model " + other + "; each belongs to one model");
        }
    }

    private void conflicts(InputObject file, List<InputField> entries) {
        Set<String> keys = Set.copyOf(owners.values());
        for (InputField conflict : file.list("conflicts")) {
            InputObject fields = conflict.object(CONFLICT_FIELDS);
            fields.string("topic");
            fields.string("detail");
            fields.string("resolution");
            for (String key : fields.strings("models")) {
                if (!keys.contains(key) && !entries.isEmpty()) {
                    conflict.error("models: \"" + key + "\" is not a model of this file" + Suggestions.hint(key, keys));
                }
            }
        }
    }

    static Optional<PlacementOrigin> origin(InputField field) {
        String text = field.string();
        List<PlacementOrigin> allowed = Arrays.stream(PlacementOrigin.values())
                .filter(origin -> origin != PlacementOrigin.DISCOVERED)
                .toList();
        Optional<PlacementOrigin> origin =
                allowed.stream().filter(one -> one.text().equals(text)).findFirst();
        if (origin.isEmpty()) {
            field.error("\"" + text + "\" is not one of "
                    + String.join(
                            ", ", allowed.stream().map(PlacementOrigin::text).toList()));
        }
        return origin;
    }
}
