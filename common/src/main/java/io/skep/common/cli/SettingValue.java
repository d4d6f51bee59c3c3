package io.skep.common.cli;

import io.skep.common.config.PropertyType;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The value of an option that is read like a setting's, with the same units and bounds. */
public abstract class SettingValue<T> implements ITypeConverter<T> {
    private final PropertyType<T> type;

    protected SettingValue(PropertyType<T> type) {
        this.type = type;
    }

    @Override
    public final T convert(String text) {
        try {
            return type.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    /** A port, or 0 for any free one. */
    public static final class Port extends SettingValue<Integer> {
        public Port() {
            super(PropertyType.port());
        }
    }

    /** A number of seconds. */
    public static final class Seconds extends SettingValue<Integer> {
        public Seconds() {
            super(PropertyType.integer(0, Integer.MAX_VALUE));
        }
    }
}
