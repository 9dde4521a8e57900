<?php

declare(strict_types=1);

namespace Bench;

/** A resource that notices when it is lent twice. */
final class Item
{
    private bool $busy = false;

    public function begin(): void
    {
        if ($this->busy) {
            throw new \LogicException('resource handed out twice');
        }
        $this->busy = true;
    }

    public function end(): void
    {
        $this->busy = false;
    }
}
