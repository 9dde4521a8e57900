<?php

/*
 * stubs.php FILE...: what PHP says of the classes and functions of Async that these files define, line by line: their
 * shape, and every word of their texts. What is private, internal or for gen_stub.php is left out.
 */

declare(strict_types=1);

/** The text before it, as somebody reads it. */
function text(ReflectionClass|ReflectionClassConstant|ReflectionProperty|ReflectionFunctionAbstract $what): string
{
    $lines = preg_split('/\R/', preg_replace('~^/\*\*|\*/$~', '', (string) $what->getDocComment()));
    $lines = array_map(static fn (string $line): string => trim($line, " \t*"), $lines);
    $lines = preg_grep('/^@(strict-properties|not-serializable|generate-)/', $lines, PREG_GREP_INVERT);

    return trim(preg_replace('/\s+/', ' ', implode(' ', $lines)));
}

function modifiers(ReflectionClass|ReflectionProperty|ReflectionMethod $what): string
{
    return implode(array_map(static fn (string $name): string => "$name ", Reflection::getModifierNames($what->getModifiers())));
}

/** What it takes, and answers. */
function shape(ReflectionFunctionAbstract $function): string
{
    $parameters = array_map(static function (ReflectionParameter $parameter): string {
        $default = $parameter->isDefaultValueAvailable() ? ' = ' . var_export($parameter->getDefaultValue(), true) : '';

        return "{$parameter->getType()} " . ($parameter->isVariadic() ? '...' : '') . "\${$parameter->getName()}$default";
    }, $function->getParameters());

    return "{$function->getName()}(" . implode(', ', $parameters) . "): {$function->getReturnType()}";
}

/** @return iterable<string> */
function ofClass(ReflectionClass $class): iterable
{
    $name = $class->getName();
    $kind = $class->isInterface() ? 'interface' : ($class->isEnum() ? 'enum' : 'class');
    $parent = $class->getParentClass() === false ? '' : " extends {$class->getParentClass()->getName()}";
    $interfaces = $class->getInterfaceNames();
    sort($interfaces);
    yield "$name: " . text($class);
    yield "$name: " . modifiers($class) . "$kind$parent implements " . implode(', ', $interfaces);
    foreach ($class->getReflectionConstants() as $constant) {
        yield "$name::{$constant->getName()}: " . text($constant);
    }
    foreach ($class->getProperties(ReflectionProperty::IS_PUBLIC) as $property) {
        if ($property->getDeclaringClass() == $class) {
            yield "$name: " . modifiers($property) . "{$property->getType()} \${$property->getName()}: " . text($property);
        }
    }
    foreach ($class->getMethods(ReflectionMethod::IS_PUBLIC) as $method) {
        $isMagic = preg_match('/^__(?!construct|toString)/', $method->getName()) === 1;
        if ($method->getDeclaringClass() == $class && !$isMagic && !str_contains(text($method), '@internal')) {
            yield "$name: " . modifiers($method) . shape($method) . ': ' . text($method);
        }
    }
}

foreach (array_slice($argv, 1) as $file) {
    require_once $file; // an autoloader may have been quicker
}
$lines = [];
foreach ([...get_declared_classes(), ...get_declared_interfaces()] as $name) {
    $class = new ReflectionClass($name);
    if (!$class->isInternal() && preg_match('/^Async\\\\\w+$/', $name) === 1) {
        array_push($lines, ...($class->isEnum() ? ofClass(new ReflectionEnum($name)) : ofClass($class)));
    }
}
foreach (get_defined_functions()['user'] as $name) {
    $function = new ReflectionFunction($name);
    if ($function->getNamespaceName() === 'Async') {
        $lines[] = shape($function) . ': ' . text($function);
    }
}
sort($lines);
echo implode("\n", $lines), "\n";
